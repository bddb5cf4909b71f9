import { crc32 } from 'node:zlib';

/**
 * A container of named, typed sections, readable in place. It has magic, length and CRC of the
 * header, the header as JSON, then the sections, each aligned to 16 bytes with its own CRC32.
 * Little-endian, like every platform of Node.
 */
export interface SectionsHeader<Meta> {
  readonly meta: Meta;
  /** Name → offset in the file, length in bytes, CRC32; in file order. */
  readonly sections: Readonly<
    Record<string, readonly [offset: number, length: number, crc: number]>
  >;
}

/** Bytes of the fixed part before the header. */
export const PREAMBLE_BYTES = 16;
const MAGIC = 0x4b504e46; // "FNPK"
const FORMAT = 1;
const ALIGNMENT = 16;

/** The bytes are not a container, are of another format, or are damaged. */
export class BadSectionsError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BadSectionsError';
  }
}

export function encodeSections<Meta>(
  meta: Meta,
  contents: Readonly<Record<string, ArrayBufferView>>,
): Uint8Array {
  const sections: Record<string, [number, number, number]> = {};
  let end = 0;
  for (const [name, content] of Object.entries(contents)) {
    const offset = align(end);
    sections[name] = [offset, content.byteLength, crc32(bytesOf(content))];
    end = offset + content.byteLength;
  }
  const header = Buffer.from(JSON.stringify({ meta, sections }));
  const body = align(PREAMBLE_BYTES + header.length);
  const out = new Uint8Array(align(body + end));
  out.set(new Uint8Array(Uint32Array.of(MAGIC, FORMAT, header.length, crc32(header)).buffer));
  out.set(header, PREAMBLE_BYTES);
  for (const [name, content] of Object.entries(contents))
    out.set(bytesOf(content), body + (sections[name]?.[0] as number));
  return out;
}

/**
 * Returns the length of the header after the preamble.
 * @throws BadSectionsError.
 */
export function headerLength(preamble: Uint8Array): number {
  const [magic, format, length] = words(preamble);
  if (magic !== MAGIC) throw new BadSectionsError('not a pack: the magic number is missing');
  if (format !== FORMAT)
    throw new BadSectionsError(`pack format ${format} is unknown; this version reads ${FORMAT}`);
  return length as number;
}

/**
 * Reads the header from the first bytes of a file (at least preamble and header).
 * @throws BadSectionsError.
 */
export function decodeHeader<Meta>(bytes: Uint8Array): SectionsHeader<Meta> {
  const length = headerLength(bytes);
  const header = bytes.subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + length);
  if (header.length < length || crc32(header) !== words(bytes)[3])
    throw new BadSectionsError('the header is damaged');
  const decoded = JSON.parse(Buffer.from(header).toString()) as SectionsHeader<Meta>;
  const body = align(PREAMBLE_BYTES + length);
  const sections = Object.entries(decoded.sections).map(([name, [offset, size, crc]]) => [
    name,
    [offset + body, size, crc] as const,
  ]);
  return {
    meta: decoded.meta,
    sections: Object.fromEntries(sections) as SectionsHeader<Meta>['sections'],
  };
}

/** @throws BadSectionsError if the bytes are not those that were written. */
export function checkSection(name: string, bytes: Uint8Array, crc: number): void {
  const check = checkingSection(name, crc);
  check.add(bytes);
  check.end();
}

/** Checks a section that is read in pieces. */
export function checkingSection(
  name: string,
  crc: number,
): { add(part: Uint8Array): void; end(): void } {
  let sum = 0;
  return {
    add(part) {
      sum = crc32(part, sum);
    },
    /** @throws BadSectionsError if the pieces are not what was written. */
    end() {
      if (sum !== crc) throw new BadSectionsError(`section ${name} is damaged`);
    },
  };
}

/** Returns the sections of a container in memory, checked, as views if the alignment allows. */
export function decodeSections<Meta>(bytes: Uint8Array): {
  meta: Meta;
  section: (name: string) => Uint8Array;
  has: (name: string) => boolean;
} {
  const header = decodeHeader<Meta>(bytes);
  for (const [name, [offset, length, crc]] of Object.entries(header.sections)) {
    if (offset + length > bytes.length) throw new BadSectionsError(`section ${name} is cut off`);
    checkSection(name, bytes.subarray(offset, offset + length), crc);
  }
  return {
    meta: header.meta,
    has: (name) => name in header.sections,
    section(name) {
      const section = header.sections[name];
      if (!section) throw new BadSectionsError(`section ${name} is missing`);
      return bytes.subarray(section[0], section[0] + section[1]);
    },
  };
}

export function asUint32(bytes: Uint8Array): Uint32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

export function asFloat32(bytes: Uint8Array): Float32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
}

export function asInt8(bytes: Uint8Array): Int8Array {
  return new Int8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function words(preamble: Uint8Array): Uint32Array {
  if (preamble.length < PREAMBLE_BYTES) throw new BadSectionsError('too short to be a pack');
  return asUint32(preamble.slice(0, PREAMBLE_BYTES));
}

function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}
