import { createHash } from 'node:crypto';
import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import type { EmbeddingInput, SentenceEncoder } from '#models';

const KEY_BYTES = 32;
const BYTES_PER_NUMBER = 4;

/**
 * An encoder that keeps the vectors of passages in a file for each name, by hash of the passage. So
 * an interrupted run continues, and a later one embeds nothing twice. A record that a stop cut off
 * is removed at the next start. Two runs must not use one name at the same time.
 */
export class CachedEncoder implements SentenceEncoder {
  readonly id: string;
  readonly dimensions: number;
  private readonly vectors = new Map<string, Float32Array>();
  private readonly file: number;

  /** @param folder of all caches; created if missing. */
  constructor(
    private readonly encoder: SentenceEncoder,
    folder: string,
    name: string,
  ) {
    this.id = encoder.id;
    this.dimensions = encoder.dimensions;
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${name}-${encoder.id}.vectors`);
    this.file = openSync(path, 'a+');
    this.load(readFileSync(path));
  }

  embedQuery(text: string): Promise<Float32Array> {
    return this.encoder.embedQuery(text);
  }

  async embedPassage(input: EmbeddingInput): Promise<Float32Array> {
    const { path, symbol, defs, content } = input;
    const hash = createHash('sha256').update(JSON.stringify([path, symbol, defs, content]));
    const key = hash.digest();
    const known = this.vectors.get(key.toString('hex'));
    if (known) return known;
    const vector = await this.encoder.embedPassage(input);
    writeSync(this.file, Buffer.concat([key, bytesOf(vector)]));
    this.vectors.set(key.toString('hex'), vector);
    return vector;
  }

  /** Closes the file. The encoder stays open: it belongs to the caller. */
  close(): Promise<void> {
    closeSync(this.file);
    return Promise.resolve();
  }

  private load(bytes: Buffer): void {
    const size = KEY_BYTES + this.dimensions * BYTES_PER_NUMBER;
    const whole = Math.floor(bytes.length / size) * size;
    if (whole < bytes.length) ftruncateSync(this.file, whole);
    for (let at = 0; at < whole; at += size) {
      const key = bytes.subarray(at, at + KEY_BYTES).toString('hex');
      const vector = Uint8Array.from(bytes.subarray(at + KEY_BYTES, at + size));
      this.vectors.set(key, new Float32Array(vector.buffer));
    }
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
