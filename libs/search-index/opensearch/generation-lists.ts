import { LRUCache } from 'lru-cache';

import type { LiveSource } from '../search-index.port.js';
import type { IndexLayout } from './index-layout.js';
import type { GenerationEntry } from './source-records.js';

/** Number of items that are kept in memory over all generations. */
const MAX_ITEMS = 500_000;

/** Lists of what generations have. It never changes, so each is read once and kept. */
export class GenerationLists<Item> {
  private readonly kept = new LRUCache<string, readonly Item[]>({
    maxSize: MAX_ITEMS,
    sizeCalculation: (items) => items.length + 1,
  });

  constructor(private readonly layout: Pick<IndexLayout, 'id'>) {}

  /** Returns the list of a generation; `read` reads one that is not kept. */
  async of(
    source: LiveSource,
    entry: GenerationEntry,
    read: () => Promise<readonly Item[]>,
  ): Promise<readonly Item[]> {
    const key = generationKey(this.layout, source, entry);
    const known = this.kept.get(key);
    if (known) return known;
    const items = await read();
    this.kept.set(key, items);
    return items;
  }
}

/** Returns a key for the content of a generation in one index. */
export function generationKey(
  { id }: Pick<IndexLayout, 'id'>,
  { tenantId, sourceId, generation }: LiveSource,
  { fingerprint }: GenerationEntry,
): string {
  return `${id}/${tenantId}/${sourceId}/${generation}/${fingerprint}`;
}
