import { ScipError } from './scip-error.js';

/** Kinds of values in the Protocol Buffers wire format; groups are obsolete and not read. */
export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** Bytes of the longest varint. */
const MOST_VARINT_BYTES = 10;
const LARGEST = 0x7fffffff;

/**
 * Reads fields of one message in the Protocol Buffers wire format. Nested messages are ranges of
 * bytes, so that no input can nest deeper than its reader descends.
 */
export class WireReader {
  constructor(
    private readonly bytes: Uint8Array,
    /** Offset of the next byte. */
    public at = 0,
    readonly end = bytes.length,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.end;
  }

  /**
   * Reads a number from 0 to 2³¹ − 1.
   * @throws ScipError for any other, and at the end of the bytes.
   */
  number(): number {
    let value = 0;
    for (let index = 0; index < MOST_VARINT_BYTES; index += 1) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) {
        if (value > LARGEST) break;
        return value;
      }
    }
    throw new ScipError(`has a number out of range before byte ${this.at}`);
  }

  /** Reads the length of a value and returns its end. @throws ScipError if it is cut. */
  endOfBytes(): number {
    const length = this.number();
    const end = this.at + length;
    if (end > this.end) throw truncated();
    return end;
  }

  /** Skips a value. @throws ScipError for an unknown kind. */
  skip(kind: number): void {
    if (kind === WIRE.bytes) this.at = this.endOfBytes();
    else if (kind === WIRE.fixed64) this.at += 8;
    else if (kind === WIRE.fixed32) this.at += 4;
    else if (kind === WIRE.varint) this.skipVarint();
    else throw new ScipError(`is not a SCIP index: it has a value of kind ${kind}`);
    if (this.at > this.end) throw truncated();
  }

  private skipVarint(): void {
    for (let index = 0; index < MOST_VARINT_BYTES; index += 1) if (this.byte() < 0x80) return;
    throw new ScipError(`has a number that is too long before byte ${this.at}`);
  }

  private byte(): number {
    if (this.at >= this.end) throw truncated();
    return this.bytes[this.at++] as number;
  }
}

/** Returns the error for bytes that end inside a value. */
export function truncated(): ScipError {
  return new ScipError('is truncated: a value ends after the last byte');
}
