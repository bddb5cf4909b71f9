import { LRUCache } from 'lru-cache';

import type { PackMeta } from '../../pack/pack-layout.js';
import type { Pack } from '../../pack/read-pack.js';
import { chunkKey, keyOfRow, rowId } from '../chunk-row.js';
import type { SourceRecord } from '../source-records.js';

/** Bytes of a key: 32 characters of base64. */
const KEY_BYTES = 24;

/** Identities of chunks (`chunkKey`), packed, because they are kept in memory for whole packs. */
class KeyList {
  private readonly bytes: Buffer;

  constructor(length: number) {
    this.bytes = Buffer.alloc(length * KEY_BYTES);
  }

  get byteLength(): number {
    return this.bytes.byteLength;
  }

  set(at: number, key: string): void {
    this.bytes.write(key, at * KEY_BYTES, 'base64url');
  }

  at(index: number): string {
    return this.bytes.toString('base64url', index * KEY_BYTES, (index + 1) * KEY_BYTES);
  }
}

/** Number of chunks processed before other work of the process runs. */
export const CHUNKS_A_TURN = 256;

/** The part of a pack that a comparison needs, without texts, terms and vectors. */
export class PackKeys {
  private constructor(
    readonly meta: PackMeta,
    /** Weighted length of each chunk. */
    readonly lengths: Uint32Array,
    private readonly keys: KeyList,
  ) {}

  /** @param pause lets other work of the process run. */
  static async of(pack: Pack, pause: () => Promise<unknown>): Promise<PackKeys> {
    const { chunks } = pack.meta;
    const keys = new KeyList(chunks);
    for (let chunk = 0; chunk < chunks; chunk++) {
      if (chunk % CHUNKS_A_TURN === CHUNKS_A_TURN - 1) await pause();
      keys.set(chunk, chunkKey(pack, chunk));
    }
    // A copy, because a view would keep the whole pack in memory.
    return new PackKeys(pack.meta, Uint32Array.from(pack.tables.lengths), keys);
  }

  get bytes(): number {
    return this.keys.byteLength + this.lengths.byteLength;
  }

  /** Returns the identity of a chunk row's content. */
  key(chunk: number): string {
    return this.keys.at(chunk);
  }
}

/**
 * Keys of packs that were read, by the packs' hashes. A pack never changes, and the next generation
 * of its source usually keeps it. So its bytes need not be read again to find that there is nothing
 * to write.
 */
export class KnownPackKeys {
  private readonly kept: LRUCache<string, PackKeys>;

  /** @param maxBytes in memory; 28 per chunk. */
  constructor(maxBytes: number) {
    this.kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: ({ bytes }) => bytes + 1 });
  }

  get(hash: string): PackKeys | undefined {
    return this.kept.get(hash);
  }

  set(hash: string, keys: PackKeys): void {
    this.kept.set(hash, keys);
  }
}

interface Remembered {
  /** Number of the last change that did not affect the rows of the generation. */
  readonly change: number;
  readonly generation: number;
  readonly keys: KeyList;
  readonly froms: Uint32Array;
}

/**
 * The rows of each source's newest generation as this process left them, so that the next one is
 * compared without listing them. Valid while the source's record shows no change by others.
 */
export class RememberedRows {
  private readonly kept: LRUCache<string, Remembered>;

  /** @param maxBytes in memory; 28 per row. */
  constructor(maxBytes: number) {
    const sizeCalculation = ({ keys, froms }: Remembered): number =>
      keys.byteLength + froms.byteLength + 1;
    this.kept = new LRUCache({ maxSize: maxBytes, sizeCalculation });
  }

  /**
   * @param ids of exactly the rows that are visible at the generation after the record's change.
   */
  remember(record: SourceRecord, generation: number, ids: readonly string[]): void {
    const keys = new KeyList(ids.length);
    const froms = new Uint32Array(ids.length);
    for (const [at, id] of ids.entries()) {
      const key = keyOfRow(id);
      keys.set(at, key);
      froms[at] = Number(id.slice(key.length + 1));
    }
    this.kept.set(nameOf(record), { change: record.change, generation, keys, froms });
  }

  /** Returns the ids of the rows that are visible at a generation; undefined if unknown. */
  recall(record: SourceRecord, generation: number): Iterable<string> | undefined {
    const known = this.kept.get(nameOf(record));
    return known?.change === record.change && known.generation === generation
      ? idsOf(known)
      : undefined;
  }

  /**
   * Records that this process took a change number for something that does not affect visible rows.
   */
  moved(record: SourceRecord, before: number): void {
    const known = this.kept.get(nameOf(record));
    if (known?.change === before)
      this.kept.set(nameOf(record), { ...known, change: record.change });
  }

  /**
   * Discards the rows of a source; to be called before they change, because an incomplete change
   * leaves an unknown state.
   */
  forget(record: SourceRecord): void {
    this.kept.delete(nameOf(record));
  }
}

function* idsOf({ keys, froms }: Remembered): Iterable<string> {
  for (const [at, from] of froms.entries()) {
    yield rowId(keys.at(at), from);
  }
}

function nameOf({ index_id, tenant_id, source_id }: SourceRecord): string {
  return `${index_id}/${tenant_id}/${source_id}`;
}
