import { LRUCache } from 'lru-cache';

/**
 * Returns a cache of at most `max` entries, without the least recently used ones beyond that. It
 * takes memory as it fills. `LRUCache` with the option `max` takes 28 bytes for each possible entry
 * at once, even if few are ever used.
 */
export function growingCache<Value extends NonNullable<unknown>>(
  max: number,
): LRUCache<string, Value> {
  return new LRUCache({ maxSize: max, sizeCalculation: () => 1 });
}
