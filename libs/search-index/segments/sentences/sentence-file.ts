import { crc32 } from 'node:zlib';

import { quantize, type QuantizedVector } from '#retrieval';

/** Scale and checksum before each vector. */
const HEAD_BYTES = 8;

/** Returns the bytes of one vector in a file. */
export function recordBytes(dimensions: number): number {
  return HEAD_BYTES + dimensions;
}

/** Returns the records of some vectors. */
export function encodeSentences(vectors: readonly Float32Array[], dimensions: number): Uint8Array {
  const size = recordBytes(dimensions);
  const bytes = Buffer.alloc(size * vectors.length);
  for (const [at, vector] of vectors.entries()) {
    if (vector.length !== dimensions || !vector.every(Number.isFinite))
      throw new Error(`a sentence vector must have ${dimensions} finite numbers`);
    const { q, scale } = quantize(vector);
    const offset = at * size;
    bytes.writeFloatLE(scale, offset);
    bytes.set(new Uint8Array(q.buffer), offset + HEAD_BYTES);
    bytes.writeUInt32LE(checksum(bytes, offset, dimensions), offset + 4);
  }
  return bytes;
}

/** Returns the number of undamaged records at the start of a file. */
export function soundRecords(bytes: Buffer, dimensions: number): number {
  const size = recordBytes(dimensions);
  const count = Math.floor(bytes.length / size);
  for (let at = 0; at < count; at += 1) {
    const offset = at * size;
    if (bytes.readUInt32LE(offset + 4) !== checksum(bytes, offset, dimensions)) return at;
  }
  return count;
}

/** Returns one vector of a file. */
export function sentenceAt(bytes: Buffer, at: number, dimensions: number): QuantizedVector {
  const offset = at * recordBytes(dimensions);
  const start = bytes.byteOffset + offset + HEAD_BYTES;
  return {
    q: new Int8Array(bytes.buffer, start, dimensions),
    scale: bytes.readFloatLE(offset),
  };
}

function checksum(bytes: Buffer, offset: number, dimensions: number): number {
  const vector = bytes.subarray(offset + HEAD_BYTES, offset + HEAD_BYTES + dimensions);
  return crc32(vector, crc32(bytes.subarray(offset, offset + 4)));
}
