import { ScipError } from './scip-error.js';

/** Number of bits below the symbol in a reference of an occurrence. */
export const ROLE_BITS = 2;
export const DEFINITION_BIT = 1;
export const IMPORT_BIT = 2;
/** Bits of the flags of a symbol. */
export const LOCAL_BIT = 1;
export const INNER_BIT = 2;

/** Version of the format. */
const FORMAT = 1;
const NEWLINE = 10;
const MOST_HEAD_BYTES = 4_096;

/** The source that a table was made for. */
export interface TableOwner {
  readonly tenantId: string;
  readonly sourceId: string;
}

/** Numbers of what a table has; they determine the places of its sections. */
export interface TableCounts {
  readonly documents: number;
  readonly symbols: number;
  readonly definitions: number;
  readonly occurrences: number;
  /** Bytes of the list of documents. */
  readonly listBytes: number;
}

/** A document of a table. */
export interface TableDocument {
  readonly path: string;
  /** Version of the file that was indexed, as manifests have it. */
  readonly version: string;
  /** Number of its occurrences. */
  readonly count: number;
}

/** The sections of a table without its documents. */
export interface TableColumns {
  /** Upper and lower half of the hash of each symbol. */
  readonly high: Uint32Array;
  readonly low: Uint32Array;
  /** The first definition of each symbol in `definitions`, then the number of all. */
  readonly definitionStarts: Uint32Array;
  /** Indexes of occurrences that are definitions, by symbol. */
  readonly definitions: Uint32Array;
  /** Line and column of each occurrence, from 0, by document and place. */
  readonly lines: Uint32Array;
  readonly columns: Uint32Array;
  /** Symbol of each occurrence, shifted, with its roles. */
  readonly references: Uint32Array;
  readonly flags: Uint8Array;
}

/**
 * Returns the head of a table. It starts with the tenant and the source, so that a blob that no
 * event names has an owner.
 */
export function tableHead({ tenantId, sourceId }: TableOwner, counts: TableCounts): string {
  const head = { scip: FORMAT, tenant_id: tenantId, source_id: sourceId, ...counts };
  return `${JSON.stringify(head)}\n`;
}

const OWNER = /^\{"scip":\d+,"tenant_id":"([^"\\]{1,64})","source_id":"([^"\\]{1,64})"/;

/** Returns the owner of a table from its first bytes; undefined if they are of anything else. */
export function tableOwner(start: Uint8Array): TableOwner | undefined {
  const text = Buffer.from(start.subarray(0, MOST_HEAD_BYTES)).toString('latin1');
  const [, tenantId, sourceId] = OWNER.exec(text) ?? [];
  return tenantId !== undefined && sourceId !== undefined ? { tenantId, sourceId } : undefined;
}

/** Returns the counts of a table and the start of its sections. @throws ScipError */
export function readTableHead(bytes: Uint8Array): TableCounts & { readonly end: number } {
  const end = bytes.subarray(0, MOST_HEAD_BYTES).indexOf(NEWLINE);
  if (!tableOwner(bytes) || end === -1) throw new ScipError('is not a table of occurrences');
  const head = JSON.parse(Buffer.from(bytes.subarray(0, end)).toString()) as TableCounts & {
    readonly scip: number;
  };
  if (head.scip !== FORMAT) throw new ScipError(`has format ${head.scip}, not ${FORMAT}`);
  return { ...head, end: end + 1 };
}

/** Returns the bytes of all sections of a table. */
export function sectionBytes(counts: TableCounts): number {
  const { symbols, definitions, occurrences, listBytes } = counts;
  return 4 * (3 * symbols + 1 + definitions + 3 * occurrences) + symbols + listBytes;
}

/** Returns views of the sections, which begin at a multiple of four bytes. */
export function columnsIn(
  buffer: ArrayBuffer,
  start: number,
  { symbols, definitions, occurrences }: TableCounts,
): TableColumns & { readonly end: number } {
  let at = start;
  const next = (length: number): Uint32Array => {
    const view = new Uint32Array(buffer, at, length);
    at += 4 * length;
    return view;
  };
  const numbers = {
    high: next(symbols),
    low: next(symbols),
    definitionStarts: next(symbols + 1),
    definitions: next(definitions),
    lines: next(occurrences),
    columns: next(occurrences),
    references: next(occurrences),
  };
  return { ...numbers, flags: new Uint8Array(buffer, at, symbols), end: at + symbols };
}
