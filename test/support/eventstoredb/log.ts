import { randomUUID } from 'node:crypto';

import { checkCommit, type Expected, type Verdict } from './commit-rules.js';
import type { Place } from './place.js';

export interface ProposedRecord {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface LogRecord extends ProposedRecord {
  readonly stream: string;
  readonly revision: number;
  /** Offset in the log; grows by the size of what is written, so positions have gaps. */
  readonly position: number;
  /** Milliseconds since the epoch. */
  readonly created: number;
}

/** The data that is written to disk for one append, all of it or nothing. */
export interface LogEntry {
  readonly stream: string;
  readonly created: number;
  readonly records: readonly ProposedRecord[];
  readonly tombstone?: boolean;
}

export type Written =
  | { readonly kind: 'written'; readonly revision: number; readonly position: number }
  /** The same append is being written, and not durable yet: this one is dropped. */
  | { readonly kind: 'pending' }
  | Exclude<Verdict, { readonly kind: 'write' | 'already-written' }>;

interface Stream {
  readonly records: LogRecord[];
  truncateBefore: number;
  maxCount: number;
  tombstoned: boolean;
}

const DELETED = 2 ** 63 - 1;
const RECENT_IDS = 100_000;
/** The bytes of a record in the log in addition to its contents. */
const RECORD_OVERHEAD = 96;

/**
 * The whole log in memory: every commit, read and deletion rule is here, and nothing of the wire.
 */
export class Log {
  readonly all: LogRecord[] = [];
  private readonly streams = new Map<string, Stream>();
  private readonly recent = new Map<string, number>();
  private readonly waiters = new Set<() => void>();
  private length = 0;
  /** The position before which everything is durable. */
  private durable = 0;

  /** `onEntry` receives every written entry, before any subscription does. */
  constructor(private readonly onEntry: (entry: LogEntry) => void = () => undefined) {}

  /** As a server does at its start: a system event, which readers must not take for theirs. */
  begin(): void {
    const record = system('$epoch-information', {
      epochNumber: this.stream('$epoch-information').records.length,
    });
    this.write({ stream: '$epoch-information', created: Date.now(), records: [record] });
  }

  append(name: string, records: readonly ProposedRecord[], expected: Expected): Written {
    const stream = this.stream(name);
    const ids = records.map((record) => record.id);
    const verdict = this.check(name, expected, ids);
    switch (verdict.kind) {
      case 'conflict':
      case 'deleted':
        return verdict;
      case 'already-written': {
        const written = this.written(stream, verdict.revision);
        return written.position < this.durable ? written : { kind: 'pending' };
      }
      case 'write':
        if (isDeleted(stream)) this.setMetadata(name, { $tb: stream.records.length });
        this.write({ stream: name, created: Date.now(), records });
        return this.written(stream, stream.records.length - 1);
    }
  }

  /**
   * Soft deletion: reads find nothing, later appends go on with the revisions. A stream without
   * events is a conflict.
   */
  delete(name: string, expected: Expected): Written {
    const verdict = this.check(name, expected, [randomUUID()]);
    if (verdict.kind === 'conflict' || verdict.kind === 'deleted') return verdict;
    const known =
      this.stream(name).records.length > 0 || this.stream(`$$${name}`).records.length > 0;
    return known ? this.setMetadata(name, { $tb: DELETED }) : { kind: 'conflict', actual: null };
  }

  /** Deletion for ever: reads and appends fail. */
  tombstone(name: string, expected: Expected): Written {
    const verdict = this.check(name, expected, [randomUUID()]);
    if (verdict.kind === 'conflict' || verdict.kind === 'deleted') return verdict;
    const stream = this.stream(name);
    this.write({
      stream: name,
      created: Date.now(),
      records: [system('$streamDeleted', {})],
      tombstone: true,
    });
    return this.written(stream, stream.records.length - 1);
  }

  /** The events of a stream that reads may see. */
  visible(
    name: string,
  ):
    { readonly kind: 'missing' | 'tombstoned' } | { readonly kind: 'found'; records: LogRecord[] } {
    const stream = this.streams.get(name);
    if (stream?.tombstoned) return { kind: 'tombstoned' };
    if (!stream || stream.records.length === 0 || isDeleted(stream)) return { kind: 'missing' };
    const first = Math.max(stream.truncateBefore, stream.records.length - stream.maxCount, 0);
    return { kind: 'found', records: first === 0 ? stream.records : stream.records.slice(first) };
  }

  /** The position of the next record. */
  get end(): number {
    return this.length;
  }

  /**
   * Whether a forward read may begin here: where a record does, or after the last one did, where
   * there is nothing to read.
   */
  readsForwards(position: number): boolean {
    const index = this.indexAt(position);
    return index === this.all.length || this.all[index]?.position === position;
  }

  /** Whether a backward read may begin here: before a record or at the end, not past it. */
  readsBackwards(position: number): boolean {
    return position === this.length || this.all[this.indexAt(position)]?.position === position;
  }

  /** Index in `all` of the first record that is not before a place. */
  indexFrom({ commit, prepare }: Place): number {
    return this.indexAt(prepare > commit ? commit + 1 : commit);
  }

  /** Index in `all` of the first record at or after a position. */
  indexAt(position: number): number {
    let [low, high] = [0, this.all.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.all[middle]?.position ?? Infinity) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Takes over what a journal holds, without checking or writing it again. */
  restore(entry: LogEntry): void {
    this.apply(entry);
    this.durable = this.length;
  }

  /** Notifies waiting readers of new records; called once the records are durable. */
  wake(): void {
    this.durable = this.length;
    for (const waiter of [...this.waiters]) waiter();
  }

  /** Resolves when the log has more than `length` records, or the signal aborts. */
  async longerThan(length: number, signal: AbortSignal): Promise<void> {
    if (this.all.length > length || signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.waiters.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.waiters.add(done);
      signal.addEventListener('abort', done);
    });
  }

  private check(name: string, expected: Expected, ids: readonly string[]): Verdict {
    const stream = this.stream(name);
    return checkCommit(expected, ids, {
      last: stream.records.length - 1,
      deleted: isDeleted(stream),
      tombstoned: stream.tombstoned,
      idAt: (revision) => stream.records[revision]?.id,
      recentRevision: (id) => this.recent.get(`${name}/${id}`),
    });
  }

  private setMetadata(name: string, metadata: object): Written {
    const stream = `$$${name}`;
    this.write({ stream, created: Date.now(), records: [system('$metadata', metadata)] });
    return this.written(this.stream(stream), this.stream(stream).records.length - 1);
  }

  private write(entry: LogEntry): void {
    this.onEntry(entry);
    this.apply(entry);
  }

  private apply({ stream: name, created, records, tombstone }: LogEntry): void {
    const stream = this.stream(name);
    for (const proposed of records) {
      const record = {
        ...proposed,
        stream: name,
        revision: stream.records.length,
        position: this.length,
        created,
      };
      this.length +=
        RECORD_OVERHEAD + proposed.data.length + proposed.metadata.length + name.length;
      stream.records.push(record);
      this.all.push(record);
      this.remember(record);
      if (name.startsWith('$$') && proposed.type === '$metadata')
        this.takeMetadata(name.slice(2), proposed.data);
    }
    if (tombstone) stream.tombstoned = true;
  }

  private takeMetadata(name: string, data: Uint8Array): void {
    const metadata = JSON.parse(Buffer.from(data).toString('utf8')) as {
      $tb?: number;
      $maxCount?: number;
    };
    const stream = this.stream(name);
    stream.truncateBefore = metadata.$tb ?? 0;
    stream.maxCount = metadata.$maxCount ?? Infinity;
  }

  private remember({ stream, id, revision }: LogRecord): void {
    this.recent.set(`${stream}/${id}`, revision);
    if (this.recent.size <= RECENT_IDS) return;
    const [oldest] = this.recent.keys();
    if (oldest !== undefined) this.recent.delete(oldest);
  }

  private written(stream: Stream, revision: number): Extract<Written, { kind: 'written' }> {
    return { kind: 'written', revision, position: stream.records[revision]?.position ?? 0 };
  }

  private stream(name: string): Stream {
    const known = this.streams.get(name);
    if (known) return known;
    const stream: Stream = {
      records: [],
      truncateBefore: 0,
      maxCount: Infinity,
      tombstoned: false,
    };
    this.streams.set(name, stream);
    return stream;
  }
}

/** 2^63-1 comes back rounded up from JSON. */
function isDeleted(stream: Stream): boolean {
  return stream.truncateBefore >= DELETED;
}

function system(type: string, data: object): ProposedRecord {
  return {
    id: randomUUID(),
    type,
    contentType: 'application/json',
    data: Buffer.from(JSON.stringify(data)),
    metadata: new Uint8Array(),
  };
}
