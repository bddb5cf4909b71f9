import { LRUCache } from 'lru-cache';

import type { Pack } from '../../pack/read-pack.js';
import type { PackMeta } from '../../pack/pack-layout.js';
import { chunkKey } from '../chunk-row.js';
import { KeyList } from './key-list.js';

/** Chunks that are looked at before others in the process have their turn. */
export const CHUNKS_A_TURN = 256;

/** What comparing needs of a pack, without its texts, terms and vectors. */
export class PackKeys {
  private constructor(
    readonly meta: PackMeta,
    /** Weighted length of each chunk. */
    readonly lengths: Uint32Array,
    private readonly keys: KeyList,
  ) {}

  /** @param pause lets others in the process have their turn */
  static async of(pack: Pack, pause: () => Promise<unknown>): Promise<PackKeys> {
    const { chunks } = pack.meta;
    const keys = new KeyList(chunks);
    for (let chunk = 0; chunk < chunks; chunk++) {
      if (chunk % CHUNKS_A_TURN === CHUNKS_A_TURN - 1) await pause();
      keys.set(chunk, chunkKey(pack, chunk));
    }
    // A copy: a view would keep the whole pack in memory.
    return new PackKeys(pack.meta, Uint32Array.from(pack.tables.lengths), keys);
  }

  get bytes(): number {
    return this.keys.byteLength + this.lengths.byteLength;
  }

  /** Identity of what a chunk's row says. */
  key(chunk: number): string {
    return this.keys.at(chunk);
  }
}

/**
 * Keys of packs that were read, by the packs' hashes: a pack never changes, and the next generation of its source mostly
 * keeps it, so that its bytes need not be fetched to learn that there is nothing to write.
 */
export class KnownPackKeys {
  private readonly kept: LRUCache<string, PackKeys>;

  /** @param maxBytes in memory; 28 a chunk */
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
