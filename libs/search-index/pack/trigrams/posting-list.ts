/** Bits of a set of documents, 32 a word. */
export type DocumentBits = Uint32Array;

const WORD = 32;

export function emptyBits(documents: number): DocumentBits {
  return new Uint32Array(Math.ceil(documents / WORD));
}

export function hasBit(bits: DocumentBits, document: number): boolean {
  return (((bits[document >>> 5] ?? 0) >>> (document & 31)) & 1) === 1;
}

export function hasNoBits(bits: DocumentBits): boolean {
  return bits.every((word) => word === 0);
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
  const distances = new VarintReader(bytes);
  for (let document = 0; !distances.isAtEnd; document++) {
    document += distances.next();
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

/** Reads numbers that {@link pushVarint} wrote, one after the other. */
export class VarintReader {
  /** The position of the next number. */
  at = 0;

  constructor(readonly bytes: Uint8Array) {}

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  next(): number {
    let byte = this.bytes[this.at++] ?? 0;
    let value = byte & 127;
    for (let shift = 7; byte > 127 && shift <= 28; shift += 7) {
      byte = this.bytes[this.at++] ?? 0;
      value |= (byte & 127) << shift;
    }
    return value;
  }
}
