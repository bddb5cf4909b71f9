import { createHash } from 'node:crypto';

/** Vectors of the queries asked last, by a hash of their text. One query is embedded once, however many ask it at a time. */
export class QueryCache {
  private readonly known = new Map<string, Promise<Float32Array>>();

  /** @param most entries kept; the one not asked for the longest goes first. */
  constructor(private readonly most: number) {}

  /** A failure is not kept. */
  get(text: string, embed: () => Promise<Float32Array>): Promise<Float32Array> {
    const key = createHash('sha256').update(text).digest('base64');
    const known = this.known.get(key);
    this.known.delete(key);
    const vector = known ?? embed();
    this.known.set(key, vector);
    if (!known) {
      vector.catch(() => {
        if (this.known.get(key) === vector) this.known.delete(key);
      });
    }
    if (this.known.size > this.most) this.known.delete(this.known.keys().next().value as string);
    return vector;
  }
}
