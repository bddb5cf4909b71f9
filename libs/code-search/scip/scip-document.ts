import type { TimeSlices } from '#platform';

import { requireAtMost } from './scip-documents.js';
import { ScipError } from './scip-error.js';
import { SCIP_LIMITS } from './scip-limits.js';
import { WIRE, WireReader } from './wire-reader.js';

/** Fields of the messages `Document` and `Occurrence`, and of the two messages for ranges. */
const DOCUMENT = { path: 1, occurrences: 2, text: 5, encoding: 6 } as const;
const OCCURRENCE = { range: 1, symbol: 2, roles: 3, singleLine: 8, multiLine: 9 } as const;
/** Bits of `symbol_roles`. */
const ROLES = { definition: 1, import: 2, forwardDefinition: 0x40 } as const;
/** Fields or occurrences between two checks of the time slice. */
const CHECK_EVERY = 512;
const MOST_PATH_BYTES = 4_096;

/** Units of the columns of a document; an index without a statement counts in UTF-16. */
export type ColumnUnits = 'utf8' | 'utf16' | 'utf32';

const UNITS: readonly ColumnUnits[] = ['utf16', 'utf8', 'utf16', 'utf32'];

/** A document of an index. */
export interface ScipDocument {
  /** As the index has it, relative to the root of its project. */
  readonly path: string;
  readonly units: ColumnUnits;
  /** Text of the document as UTF-8, where the index has it. */
  readonly text: Uint8Array | undefined;
  /** Offsets of its occurrences in `bytes`: the start of each, then its end. */
  readonly occurrences: readonly number[];
  readonly bytes: Uint8Array;
}

/** One occurrence; line and columns count from 0, columns in the units of the document. */
export interface ScipOccurrence {
  readonly line: number;
  readonly column: number;
  /** Bytes of the symbol. */
  readonly symbol: Uint8Array;
  readonly isDefinition: boolean;
  readonly isImport: boolean;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads what a document has, except for its occurrences. @throws ScipError */
export async function readScipDocument(
  bytes: Uint8Array,
  slices: TimeSlices,
): Promise<ScipDocument> {
  const reader = new WireReader(bytes);
  const occurrences: number[] = [];
  let path: string | undefined;
  let units: ColumnUnits = 'utf16';
  let text: Uint8Array | undefined;
  for (let fields = 0; !reader.isAtEnd; fields += 1) {
    if (fields % CHECK_EVERY === 0 && slices.isUsedUp) await slices.pause();
    const tag = reader.number();
    const [field, kind] = [tag >>> 3, tag & 7];
    if (field === DOCUMENT.encoding && kind === WIRE.varint) {
      units = UNITS[reader.number()] ?? 'utf16';
    } else if (kind !== WIRE.bytes) {
      reader.skip(kind);
    } else {
      const end = reader.endOfBytes();
      if (field === DOCUMENT.path) path = pathOf(bytes.subarray(reader.at, end));
      else if (field === DOCUMENT.text && end > reader.at) text = bytes.subarray(reader.at, end);
      else if (field === DOCUMENT.occurrences) occurrences.push(reader.at, end);
      reader.at = end;
    }
  }
  if (path === undefined) throw new ScipError('has a document without a path');
  return { path, units, text, occurrences, bytes };
}

/**
 * Returns the occurrences of symbols on one line each. Occurrences without a symbol, of no
 * character or over several lines name no identifier and are left out.
 * @throws ScipError for an invalid range.
 */
export async function* scipOccurrences(
  { bytes, occurrences }: ScipDocument,
  slices: TimeSlices,
): AsyncGenerator<readonly ScipOccurrence[]> {
  let batch: ScipOccurrence[] = [];
  for (let at = 0; at < occurrences.length; at += 2) {
    const reader = new WireReader(bytes, occurrences[at], occurrences[at + 1]);
    const occurrence = readOccurrence(bytes, reader);
    if (occurrence) batch.push(occurrence);
    if (batch.length < CHECK_EVERY) continue;
    yield batch;
    batch = [];
    if (slices.isUsedUp) await slices.pause();
  }
  yield batch;
}

function readOccurrence(bytes: Uint8Array, reader: WireReader): ScipOccurrence | undefined {
  let range: number[] = [];
  let symbol: Uint8Array | undefined;
  let roles = 0;
  while (!reader.isAtEnd) {
    const tag = reader.number();
    const [field, kind] = [tag >>> 3, tag & 7];
    if (field === OCCURRENCE.roles && kind === WIRE.varint) roles = reader.number();
    else if (field === OCCURRENCE.range && kind === WIRE.varint) range.push(reader.number());
    else if (kind !== WIRE.bytes) reader.skip(kind);
    else {
      const end = reader.endOfBytes();
      const value = new WireReader(bytes, reader.at, end);
      if (field === OCCURRENCE.range) while (!value.isAtEnd) range.push(value.number());
      else if (field === OCCURRENCE.singleLine) range = typedRange(value, 3);
      else if (field === OCCURRENCE.multiLine) range = typedRange(value, 4);
      else if (field === OCCURRENCE.symbol) symbol = bytes.subarray(reader.at, end);
      reader.at = end;
    }
  }
  if (range.length !== 3 && range.length !== 4)
    throw new ScipError(`has an occurrence whose range has ${range.length} numbers, not 3 or 4`);
  if (!symbol || symbol.length === 0) return undefined;
  requireAtMost(symbol.length, SCIP_LIMITS.symbolBytes, 'bytes in one symbol');
  const [line, column, third, fourth] = range as [number, number, number, number?];
  if (fourth !== undefined && third !== line) return undefined;
  if ((fourth ?? third) <= column) return undefined;
  return {
    line,
    column,
    symbol,
    isDefinition: (roles & (ROLES.definition | ROLES.forwardDefinition)) !== 0,
    isImport: (roles & ROLES.import) !== 0,
  };
}

/** Reads a message of numbers; those that are left out are 0. */
function typedRange(reader: WireReader, count: number): number[] {
  const range = new Array<number>(count).fill(0);
  while (!reader.isAtEnd) {
    const tag = reader.number();
    const [field, kind] = [tag >>> 3, tag & 7];
    if (kind === WIRE.varint && field >= 1 && field <= count) range[field - 1] = reader.number();
    else reader.skip(kind);
  }
  return range;
}

function pathOf(bytes: Uint8Array): string {
  requireAtMost(bytes.length, MOST_PATH_BYTES, 'bytes in one path');
  try {
    return utf8.decode(bytes);
  } catch {
    throw new ScipError('has a path that is not valid UTF-8');
  }
}
