import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

/**
 * Vectors of the most recent queries, by a hash of their text. A query is embedded once for any
 * number of concurrent callers.
 */
export class QueryCache {
  private readonly known: LRUCache<string, Promise<Float32Array>>;

  /** @param most maximum entries; the least recently used one is removed first. */
  constructor(most: number) {
    this.known = new LRUCache({ max: most });
  }

  /** Returns the vector; a failure is not cached. */
  get(text: string, embed: () => Promise<Float32Array>): Promise<Float32Array> {
    const key = createHash('sha256').update(text).digest('base64');
    const known = this.known.get(key);
    if (known) return known;
    const vector = embed();
    this.known.set(key, vector);
    vector.catch(() => {
      if (this.known.peek(key) === vector) this.known.delete(key);
    });
    return vector;
  }
}
