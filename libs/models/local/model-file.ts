import { crc32 } from 'node:zlib';

import type { TermVectorTables } from '#retrieval';
import { ANALYZER_ID } from '#retrieval/analysis/analyze';
import { quantize } from '#retrieval/embedding/quantize';

import { checkedHeader, ModelFileError, type ModelFileHeader } from './model-file-header.js';

/**
 * A model of static term vectors in one file. It begins with magic, format, length and CRC32 of the
 * header, and the header as JSON. Four sections follow, each aligned to 16 bytes with its own
 * CRC32. Little-endian, like every platform of Node; read in place.
 */
const MAGIC = 0x564d4e46; // "FNMV"
const FORMAT = 1;
const PREAMBLE_BYTES = 16;
const ALIGNMENT = 16;
const MAX_HEADER_BYTES = 1024 ** 2;

type SectionName = 'keys' | 'ends' | 'scales' | 'rows';
type SectionPlace = readonly [offset: number, length: number, crc: number];
type StoredHeader = ModelFileHeader & {
  readonly sections?: Readonly<Partial<Record<SectionName, SectionPlace>>>;
};

/** The content of a model file. */
export interface ModelFile {
  readonly header: ModelFileHeader;
  readonly tables: TermVectorTables;
}

/**
 * Writes a model file. The same vectors result in the same bytes, in any order.
 *
 * @param vectors by key: an index term of the header's analyzer, or `#` and a piece of a word. Each
 * is already multiplied by its weight by rarity, because it is added unchanged.
 * @throws ModelFileError for an invalid header or vectors.
 */
export function encodeModelFile(
  header: ModelFileHeader,
  vectors: Iterable<readonly [key: string, vector: Float32Array]>,
): Uint8Array {
  const checked = checkedHeader({ ...header });
  const entries = [...vectors].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const { dimensions } = checked;
  const scales = new Float32Array(entries.length);
  const rows = new Int8Array(entries.length * dimensions);
  entries.forEach(([key, vector], row) => {
    if (key === '') throw new ModelFileError('has an empty key');
    if (key === entries[row - 1]?.[0])
      throw new ModelFileError(`has the key ${JSON.stringify(key)} twice`);
    const { q, scale } = quantize(vector);
    if (vector.length !== dimensions || !(scale > 0 && Number.isFinite(scale))) {
      throw new ModelFileError(
        `has no ${dimensions} finite numbers, not all zero, for ${JSON.stringify(key)}`,
      );
    }
    rows.set(q, row * dimensions);
    scales[row] = scale;
  });
  const keys = entries.map(([key]) => key);
  let end = 0;
  const ends = Uint32Array.from(keys, ({ length }) => (end += length));
  return encode(checked, {
    keys: new Uint8Array(Buffer.from(keys.join(''), 'utf16le')),
    ends,
    scales,
    rows,
  });
}

function encode(
  header: ModelFileHeader,
  contents: Readonly<Record<SectionName, ArrayBufferView>>,
): Uint8Array {
  const sections: Record<string, SectionPlace> = {};
  let end = 0;
  for (const [name, content] of Object.entries(contents)) {
    const offset = align(end);
    sections[name] = [offset, content.byteLength, crc32(bytesOf(content))];
    end = offset + content.byteLength;
  }
  const json = Buffer.from(JSON.stringify({ ...header, sections }));
  const body = align(PREAMBLE_BYTES + json.length);
  const out = new Uint8Array(body + end);
  out.set(bytesOf(Uint32Array.of(MAGIC, FORMAT, json.length, crc32(json))));
  out.set(json, PREAMBLE_BYTES);
  for (const [name, content] of Object.entries(contents))
    out.set(bytesOf(content), body + (sections[name]?.[0] ?? 0));
  return out;
}

/**
 * Reads a model file; the results are views of the bytes.
 * @throws ModelFileError if it is not a model file, of another format or analyzer, or damaged.
 */
export function decodeModelFile(file: Uint8Array): ModelFile {
  // A Buffer's `slice` would not copy.
  const bytes = bytesOf(file);
  if (bytes.length < PREAMBLE_BYTES)
    throw new ModelFileError('is not a model file: it is too short');
  const [magic, format, length = 0, crc] = new Uint32Array(bytes.slice(0, PREAMBLE_BYTES).buffer);
  if (magic !== MAGIC) throw new ModelFileError('is not a model file: it does not begin as one');
  if (format !== FORMAT)
    throw new ModelFileError(`is of format ${format}; this version reads ${FORMAT}`);
  const json = bytes.subarray(PREAMBLE_BYTES, PREAMBLE_BYTES + length);
  if (length > MAX_HEADER_BYTES || json.length < length || crc32(json) !== crc) {
    throw new ModelFileError('is damaged: its header is not what was written');
  }
  const { sections, ...stored } = JSON.parse(Buffer.from(json).toString()) as StoredHeader;
  const header = checkedHeader(stored);
  if (header.analyzer !== ANALYZER_ID) {
    throw new ModelFileError(
      `is of terms of the analyzer ${header.analyzer}, but this version's is ${ANALYZER_ID}`,
    );
  }
  const body = align(PREAMBLE_BYTES + length);
  const section = (name: SectionName): Uint8Array => {
    const [offset, size, sum] = sections?.[name] ?? [];
    if (offset === undefined || size === undefined)
      throw new ModelFileError(`is damaged: it has no ${name}`);
    const content = bytes.subarray(body + offset, body + offset + size);
    if (content.length < size) throw new ModelFileError(`is damaged: ${name} is cut off`);
    if (crc32(content) !== sum)
      throw new ModelFileError(`is damaged: ${name} is not what was written`);
    return content;
  };
  return { header, tables: tablesOf(header, section) };
}

function tablesOf(
  header: ModelFileHeader,
  section: (name: SectionName) => Uint8Array,
): TermVectorTables {
  const keys = section('keys');
  const ends = section('ends');
  const scales = section('scales');
  const rows = section('rows');
  const tables = {
    dimensions: header.dimensions,
    pieceSizes: header.pieceSizes,
    keys: new Uint16Array(...placeOf(keys, 2)),
    ends: new Uint32Array(...placeOf(ends, 4)),
    scales: new Float32Array(...placeOf(scales, 4)),
    rows: new Int8Array(...placeOf(rows, 1)),
  };
  const count = tables.ends.length;
  const isWhole =
    tables.scales.length === count &&
    tables.rows.length === count * header.dimensions &&
    (tables.ends[count - 1] ?? 0) === tables.keys.length;
  if (!isWhole) throw new ModelFileError('is damaged: its sections do not fit each other');
  return tables;
}

/**
 * Returns the location of a typed array over the bytes; copies them if they are not aligned to its
 * elements.
 */
function placeOf(bytes: Uint8Array, size: number): [ArrayBuffer, number, number] {
  const aligned = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return [aligned.buffer as ArrayBuffer, aligned.byteOffset, Math.floor(aligned.byteLength / size)];
}

function bytesOf(view: ArrayBufferView): Uint8Array {
  return new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function align(offset: number): number {
  return Math.ceil(offset / ALIGNMENT) * ALIGNMENT;
}
