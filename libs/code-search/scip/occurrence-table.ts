import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';

import { jsonArrayItems, TimeSlices } from '#platform';

import type { NamePlace } from '../references/name-occurrence.js';
import {
  columnsIn,
  DEFINITION_BIT,
  IMPORT_BIT,
  INNER_BIT,
  LOCAL_BIT,
  readTableHead,
  ROLE_BITS,
  sectionBytes,
  type TableColumns,
  type TableDocument,
} from './occurrence-table-format.js';
import { ScipError } from './scip-error.js';

const decompress = promisify(zstdDecompress);

/** The symbol of an identifier at a place. */
export interface TableOccurrence {
  /** Index of the symbol in this table. */
  readonly symbol: number;
  /** Identifies the symbol in every table of a source. */
  readonly key: string;
  readonly isDefinition: boolean;
  readonly isImport: boolean;
  /** True if no other document can name it. */
  readonly isLocal: boolean;
  /** True for a parameter or type parameter, and for what is local. */
  readonly isInner: boolean;
}

/** A definition of a symbol. */
export interface TableDefinition extends NamePlace {
  readonly document: TableDocument;
}

interface KnownDocument extends TableDocument {
  /** Index of its first occurrence. */
  readonly first: number;
}

/** The occurrences of a SCIP index by document and place. Lines and columns count from 1. */
export class OccurrenceTable {
  private constructor(
    private readonly columns: TableColumns,
    private readonly documents: readonly KnownDocument[],
    private readonly byPath: ReadonlyMap<string, KnownDocument>,
    /** Bytes that it takes in memory. */
    readonly memoryBytes: number,
  ) {}

  /** @throws ScipError for bytes that are no table. */
  static async decode(bytes: Uint8Array): Promise<OccurrenceTable> {
    const head = readTableHead(bytes);
    const size = sectionBytes(head);
    const body = await decompress(bytes.subarray(head.end), { maxOutputLength: Math.max(1, size) });
    if (body.length !== size) throw new ScipError('is not a whole table of occurrences');
    const isAligned = body.byteOffset % 4 === 0 && body.buffer instanceof ArrayBuffer;
    const aligned = isAligned ? body : new Uint8Array(body);
    const columns = columnsIn(aligned.buffer, aligned.byteOffset, head);
    const listed = await jsonArrayItems(
      new Uint8Array(columns.flags.buffer, columns.end, head.listBytes),
      ['documents'],
    );
    const documents: KnownDocument[] = [];
    const byPath = new Map<string, KnownDocument>();
    const slices = new TimeSlices();
    let first = 0;
    for (const document of listed.documents as TableDocument[]) {
      if (slices.isUsedUp) await slices.pause();
      const known = { ...document, first };
      documents.push(known);
      byPath.set(document.path, known);
      first += document.count;
    }
    return new OccurrenceTable(columns, documents, byPath, size + 100 * documents.length);
  }

  /** Returns how many documents have the version that `versions` has for their path. */
  async countCurrent(versions: ReadonlyMap<string, string>): Promise<number> {
    const slices = new TimeSlices();
    let count = 0;
    for (const { path, version } of this.documents) {
      if (slices.isUsedUp) await slices.pause();
      if (versions.get(path) === version) count += 1;
    }
    return count;
  }

  document(path: string): TableDocument | undefined {
    return this.byPath.get(path);
  }

  /** Returns the symbols of the identifier that begins at a place. */
  at(path: string, { line, column }: NamePlace): readonly TableOccurrence[] {
    const document = this.byPath.get(path);
    if (!document) return [];
    const { lines, columns } = this.columns;
    const end = document.first + document.count;
    const found: TableOccurrence[] = [];
    for (let at = this.firstFrom(document, line - 1, column - 1); at < end; at += 1) {
      if (lines[at] !== line - 1 || columns[at] !== column - 1) break;
      found.push(this.occurrence(at));
    }
    return found;
  }

  /** Returns the definitions of a symbol. */
  definitions(symbol: number): readonly TableDefinition[] {
    const { definitionStarts, definitions } = this.columns;
    const [start, end] = [definitionStarts[symbol], definitionStarts[symbol + 1]];
    return [...definitions.subarray(start, end)].map((at) => ({
      document: this.documentOf(at),
      line: (this.columns.lines[at] as number) + 1,
      column: (this.columns.columns[at] as number) + 1,
    }));
  }

  /** Returns the index of a symbol of another table; undefined if this one does not have it. */
  symbolOf(key: string): number | undefined {
    const [wantedHigh, wantedLow] = key.split(':').map(Number);
    const { high, low } = this.columns;
    for (let at = low.indexOf(wantedLow as number); at !== -1;) {
      if (high[at] === wantedHigh) return at;
      at = low.indexOf(wantedLow as number, at + 1);
    }
    return undefined;
  }

  private occurrence(at: number): TableOccurrence {
    const { high, low, flags, references } = this.columns;
    const reference = references[at] as number;
    const symbol = reference >>> ROLE_BITS;
    const flag = flags[symbol] as number;
    return {
      symbol,
      key: `${high[symbol]}:${low[symbol]}`,
      isDefinition: (reference & DEFINITION_BIT) !== 0,
      isImport: (reference & IMPORT_BIT) !== 0,
      isLocal: (flag & LOCAL_BIT) !== 0,
      isInner: (flag & INNER_BIT) !== 0,
    };
  }

  /** Returns the first occurrence of a document that is not before a place. */
  private firstFrom({ first, count }: KnownDocument, line: number, column: number): number {
    const { lines, columns } = this.columns;
    let [low, high] = [first, first + count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const atLine = lines[middle] as number;
      if (atLine < line || (atLine === line && (columns[middle] as number) < column))
        low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private documentOf(at: number): KnownDocument {
    let [low, high] = [0, this.documents.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.documents[middle] as KnownDocument).first <= at) low = middle;
      else high = middle - 1;
    }
    return this.documents[low] as KnownDocument;
  }
}
