import { createHash } from 'node:crypto';

import { LRUCache } from 'lru-cache';

/**
 * Vectors of the queries asked last, by a hash of their text. One query is embedded once, however
 * many ask it at a time.
 */
export class QueryCache {
  private readonly known: LRUCache<string, Promise<Float32Array>>;

  /** @param most entries kept; the one not asked for the longest goes first. */
  constructor(most: number) {
    this.known = new LRUCache({ max: most });
  }

  /** A failure is not kept. */
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
