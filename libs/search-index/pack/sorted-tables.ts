/** Returns the index of a value in an ascending array; -1 if it is missing. */
export function indexIn(sorted: Uint32Array, value: number): number {
  const at = lowerBound(sorted, value, 0, sorted.length);
  return sorted[at] === value ? at : -1;
}

/**
 * Returns the first index from `from` whose value is not below `value`; `to` if there is none
 * before it.
 */
export function lowerBound(sorted: Uint32Array, value: number, from: number, to: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Distinct strings in UTF-8 byte order: a blob and offsets, searched in place without JavaScript
 * strings.
 */
export class StringTable {
  readonly size: number;

  constructor(
    private readonly offsets: Uint32Array,
    readonly bytes: Buffer,
  ) {
    this.size = Math.max(0, offsets.length - 1);
  }

  at(id: number): string {
    return this.bytes.toString('utf8', this.offsets[id], this.offsets[id + 1]);
  }

  /** Returns where a string begins in the bytes. */
  startOf(id: number): number {
    return this.offsets[id] as number;
  }

  /** Returns where a string ends in the bytes, exclusive. */
  endOf(id: number): number {
    return this.offsets[id + 1] as number;
  }

  /** @returns the string's id, or -1. */
  find(text: string): number {
    const wanted = Buffer.from(text);
    const at = this.from(wanted);
    return at < this.size && this.compare(at, wanted) === 0 ? at : -1;
  }

  /** Returns the id of the first string that is not before some bytes; `size` if there is none. */
  from(wanted: Uint8Array): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle, wanted) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private compare(id: number, wanted: Uint8Array): number {
    const { offsets } = this;
    return this.bytes.compare(wanted, 0, wanted.length, offsets[id], offsets[id + 1]);
  }
}

/**
 * Hashes a range of bytes to 32 bits (FNV-1a with the finalizer of MurmurHash3).
 * @param seed a secret of the process: otherwise content could be chosen that collides.
 */
export function hashOf(bytes: Uint8Array, from: number, to: number, seed: number): number {
  let hash = seed;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

export function stringTable(offsets: Uint32Array, bytes: Uint8Array): StringTable {
  return new StringTable(offsets, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

export interface EncodedStrings {
  readonly offsets: Uint32Array;
  readonly bytes: Uint8Array;
}

/**
 * Encodes strings in the given order; a table to be searched needs the order of {@link
 * inUtf8Order}.
 */
export function encodeStrings(strings: readonly string[]): EncodedStrings {
  const offsets = new Uint32Array(strings.length + 1);
  let total = 0;
  strings.forEach((text, i) => {
    total += Buffer.byteLength(text);
    offsets[i + 1] = total;
  });
  const bytes = Buffer.allocUnsafe(total);
  strings.forEach((text, i) => bytes.write(text, offsets[i] as number));
  return { offsets, bytes };
}

const BEYOND_BMP_ORDER = /[\ud800-\uffff]/;

/**
 * Sorts in place by UTF-8 bytes; UTF-16 order differs only between surrogates and characters from
 * U+E000 on.
 */
export function inUtf8Order(strings: string[]): string[] {
  if (!strings.some((text) => BEYOND_BMP_ORDER.test(text))) return strings.sort();
  return strings.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
