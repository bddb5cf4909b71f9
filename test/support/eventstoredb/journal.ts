import {
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

import type { LogEntry, ProposedRecord } from './log.js';

type StoredRecord = readonly [
  id: string,
  type: string,
  contentType: string,
  data: string,
  metadata: string,
];
interface StoredEntry {
  readonly stream: string;
  readonly created: number;
  readonly records: readonly StoredRecord[];
  readonly tombstone?: boolean;
}

/**
 * An append-only file, one line an append: what was flushed survives a kill, what was cut short is
 * dropped at the next open.
 */
export class Journal {
  private lines: string[] = [];

  private constructor(private readonly file: number) {}

  /** Opens the journal of a folder and hands over what it holds. */
  static open(directory: string, onEntry: (entry: LogEntry) => void): Journal {
    mkdirSync(directory, { recursive: true });
    const path = join(directory, 'log.ndjson');
    const stored = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
    const whole = stored.lastIndexOf(0x0a) + 1;
    for (const line of stored.subarray(0, whole).toString('utf8').split('\n')) {
      if (line !== '') onEntry(parse(line));
    }
    const file = openSync(path, 'a');
    ftruncateSync(file, whole);
    return new Journal(file);
  }

  add(entry: LogEntry): void {
    const records = entry.records.map(({ id, type, contentType, data, metadata }): StoredRecord => [
      id,
      type,
      contentType,
      text(data),
      text(metadata),
    ]);
    this.lines.push(`${JSON.stringify({ ...entry, records } satisfies StoredEntry)}\n`);
  }

  /** Writes and syncs what was added since the last time. */
  flush(): void {
    if (this.lines.length === 0) return;
    let rest = Buffer.from(this.lines.join(''));
    this.lines = [];
    while (rest.length > 0) rest = rest.subarray(writeSync(this.file, rest));
    fdatasyncSync(this.file);
  }

  close(): void {
    this.flush();
    closeSync(this.file);
  }
}

function parse(line: string): LogEntry {
  const { records, ...entry } = JSON.parse(line) as StoredEntry;
  return {
    ...entry,
    records: records.map(([id, type, contentType, data, metadata]): ProposedRecord => ({
      id,
      type,
      contentType,
      data: Buffer.from(data, 'base64'),
      metadata: Buffer.from(metadata, 'base64'),
    })),
  };
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
