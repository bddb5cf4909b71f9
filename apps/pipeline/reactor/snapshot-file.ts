import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

import type { Position, StreamName } from '#contracts';
import { syncFolder, unlessMissing } from '#platform';

/** Raised when the lines of the file change in a way that earlier versions cannot read. */
export const SNAPSHOT_FORMAT = 1;

/** Bytes collected before a write; JSON of this size takes less than a millisecond. */
const SLICE_BYTES = 32 * 1024;
/** Bytes at the end of the file in which the last line is searched. */
const TRAILER_BYTES = 512;
/** Age at which a draft belongs to a process that was killed, milliseconds. */
const STALE_DRAFT_MS = 3_600_000;
const DRAFT_SUFFIX = '.tmp';

/** First line of a snapshot. */
export interface SnapshotHeader {
  readonly format: number;
  /** Identity of the log that was folded. */
  readonly log_id: string;
  /** `EventStore.deliveryVersion` of the adapter that delivered the events. */
  readonly delivery_version: number;
  /** Everything up to here is folded. */
  readonly position: Position;
  /** Newest folded event: proves that the log still has the same history. */
  readonly last_event: LastEvent;
  /** Version of the state of each reactor, by name. */
  readonly reactors: Readonly<Record<string, number>>;
}

/** Event that a log must still contain at the same place. */
export interface LastEvent {
  readonly stream: StreamName;
  /** Decimal number. */
  readonly revision: string;
  readonly id: string;
  readonly position: Position;
}

/** State line with the name of its reactor. */
export type SnapshotLine = readonly [reactor: string, line: unknown];

/** File whose checksum is verified. */
export interface OpenSnapshot {
  readonly header: SnapshotHeader;
  /** State lines in the order in which they were saved. */
  lines(): AsyncIterable<SnapshotLine>;
  close(): Promise<void>;
}

/**
 * Writes a snapshot next to the old one and renames it over that one. The event loop runs after
 * each slice of lines.
 *
 * @param onLinesRead called when all lines are read, before the file is made durable.
 * @throws the signal's reason if it aborts before the rename; the old file stays then.
 */
export async function writeSnapshot(
  path: string,
  header: SnapshotHeader,
  lines: Iterable<SnapshotLine>,
  { signal, onLinesRead }: { readonly signal: AbortSignal; readonly onLinesRead: () => void },
): Promise<{ readonly lines: number; readonly bytes: number }> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}${DRAFT_SUFFIX}`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      const writer = new SliceWriter(file);
      writer.add(header);
      for (const line of lines) {
        if (!writer.add(line)) continue;
        await writer.flush();
        signal.throwIfAborted();
      }
      onLinesRead();
      const written = await writer.end();
      await file.sync();
      signal.throwIfAborted();
      await rename(draft, path);
      await syncFolder(dirname(path));
      return written;
    } finally {
      await file.close();
    }
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Opens a snapshot and verifies its checksum.
 * @returns null if there is no file.
 * @throws Error that says what is wrong with the file.
 */
export async function openSnapshot(path: string): Promise<OpenSnapshot | null> {
  const file = await unlessMissing(open(path, 'r'));
  if (!file) return null;
  try {
    const end = await verifiedEnd(file);
    const first = await linesUntil(file, end).next();
    if (first.done) throw new Error('the file has no header');
    const header = JSON.parse(first.value) as SnapshotHeader;
    return {
      header,
      lines: () => stateLines(file, end),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Removes drafts that killed processes left next to the snapshot. */
export async function removeStaleDrafts(path: string, now: number): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(`${basename(path)}.`) || !name.endsWith(DRAFT_SUFFIX)) continue;
    const draft = join(folder, name);
    const age = await stat(draft).then(
      ({ mtimeMs }) => now - mtimeMs,
      () => 0,
    );
    if (age > STALE_DRAFT_MS) await rm(draft, { force: true });
  }
}

/** Lines that are hashed, counted and written in slices. */
class SliceWriter {
  private readonly hash = createHash('sha256');
  private slice: string[] = [];
  private sliceLength = 0;
  private lines = 0;
  private bytes = 0;

  constructor(private readonly file: FileHandle) {}

  /** @returns true if the slice is full and must be flushed. */
  add(value: unknown): boolean {
    const line = `${JSON.stringify(value)}\n`;
    this.slice.push(line);
    this.sliceLength += line.length;
    this.lines += 1;
    return this.sliceLength >= SLICE_BYTES;
  }

  async flush(): Promise<void> {
    const bytes = Buffer.from(this.slice.join(''));
    this.slice = [];
    this.sliceLength = 0;
    this.hash.update(bytes);
    this.bytes += bytes.length;
    await this.file.writeFile(bytes);
  }

  /** Writes the rest and the checksum. */
  async end(): Promise<{ lines: number; bytes: number }> {
    await this.flush();
    const { lines, bytes } = this;
    await this.file.writeFile(`${JSON.stringify({ lines, sha256: this.hash.digest('hex') })}\n`);
    return { lines, bytes };
  }
}

/** @returns the length of what the checksum in the last line covers. */
async function verifiedEnd(file: FileHandle): Promise<number> {
  const { size } = await file.stat();
  const tail = Buffer.alloc(Math.min(size, TRAILER_BYTES));
  await file.read(tail, 0, tail.length, size - tail.length);
  const start = tail.lastIndexOf('\n', -2) + 1;
  const trailer = tail.subarray(start).toString();
  if (start === 0 || !trailer.endsWith('}\n')) throw new Error('the file is incomplete');
  const end = size - (tail.length - start);
  const hash = createHash('sha256');
  const stream = file.createReadStream({ start: 0, end: end - 1, autoClose: false });
  for await (const chunk of stream) hash.update(chunk as Buffer);
  const { sha256 } = JSON.parse(trailer) as { readonly sha256?: unknown };
  if (sha256 !== hash.digest('hex')) throw new Error('the checksum does not match');
  return end;
}

async function* stateLines(file: FileHandle, end: number): AsyncGenerator<SnapshotLine> {
  let isHeader = true;
  for await (const line of linesUntil(file, end)) {
    if (!isHeader) yield JSON.parse(line) as SnapshotLine;
    isHeader = false;
  }
}

async function* linesUntil(file: FileHandle, end: number): AsyncGenerator<string> {
  const input = file.createReadStream({ start: 0, end: end - 1, autoClose: false });
  const lines = createInterface({ input, crlfDelay: Infinity });
  try {
    yield* lines;
  } finally {
    lines.close();
    input.destroy();
  }
}
