/** Bits of a set of documents, 32 a word. */
export type DocumentBits = Uint32Array;

const WORD = 32;

export function emptyBits(documents: number): DocumentBits {
  return new Uint32Array(Math.ceil(documents / WORD));
}

export function hasBit(bits: DocumentBits, document: number): boolean {
  return (((bits[document >>> 5] ?? 0) >>> (document & 31)) & 1) === 1;
}

/** The encoded documents of a trigram, as distances or as a bitmap, whichever is shorter. */
export interface EncodedPostings {
  readonly isBitmap: boolean;
  readonly bytes: Uint8Array;
}

/** Encodes ascending document numbers. */
export function encodePostings(postings: Uint32Array, documents: number): EncodedPostings {
  const bitmapBytes = Math.ceil(documents / 8);
  const distances: number[] = [];
  let next = 0;
  for (const document of postings) {
    pushVarint(distances, document - next);
    next = document + 1;
    if (distances.length > bitmapBytes) break;
  }
  if (distances.length <= bitmapBytes)
    return { isBitmap: false, bytes: Uint8Array.from(distances) };
  const bytes = new Uint8Array(bitmapBytes);
  for (const document of postings)
    bytes[document >>> 3] = (bytes[document >>> 3] as number) | (1 << (document & 7));
  return { isBitmap: true, bytes };
}

/** Returns the documents of encoded postings as bits. */
export function decodePostings(
  { isBitmap, bytes }: EncodedPostings,
  documents: number,
): DocumentBits {
  const bits = emptyBits(documents);
  if (isBitmap) {
    new Uint8Array(bits.buffer).set(bytes.subarray(0, bits.byteLength));
    return bits;
  }
  let document = 0;
  for (let at = 0; at < bytes.length; document++) {
    const [distance, end] = readVarint(bytes, at);
    at = end;
    document += distance;
    bits[document >>> 5] = (bits[document >>> 5] as number) | (1 << (document & 31));
  }
  return bits;
}

/** Appends a number as bytes of 7 bits, the lowest first. */
export function pushVarint(target: number[], value: number): void {
  let rest = value;
  for (; rest > 127; rest >>>= 7) target.push((rest & 127) | 128);
  target.push(rest);
}

/** Returns the number at a position, and the position after it. */
export function readVarint(bytes: Uint8Array, from: number): readonly [number, number] {
  let value = 0;
  let at = from;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at] ?? 0;
    at += 1;
    value |= (byte & 127) << shift;
    if (byte < 128 || shift > 21) return [value, at];
  }
}
