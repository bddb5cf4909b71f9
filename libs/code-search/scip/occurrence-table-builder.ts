import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';

import { joinBytes, sortedInSlices, type TimeSlices } from '#platform';

import { NumberColumn } from './number-column.js';
import {
  DEFINITION_BIT,
  IMPORT_BIT,
  INNER_BIT,
  LOCAL_BIT,
  ROLE_BITS,
  type TableDocument,
  tableHead,
  type TableOwner,
} from './occurrence-table-format.js';
import { requireAtMost } from './scip-documents.js';
import { SCIP_LIMITS } from './scip-limits.js';
import { hashSymbol } from './scip-symbol.js';

const compress = promisify(zstdCompress);
/** Symbols or occurrences between two checks of the time slice. */
const CHECK_EVERY = 2_048;

/** An occurrence with its place in UTF-16 units; line and column count from 0. */
export interface PlacedOccurrence {
  readonly line: number;
  readonly column: number;
  /** Bytes of the symbol as Latin-1. */
  readonly symbol: string;
  readonly isDefinition: boolean;
  readonly isImport: boolean;
}

/** Index of a symbol; constructors have that of their class. */
interface KnownSymbol {
  readonly index: number;
  readonly isConstructor: boolean;
}

/** Collects the occurrences of a SCIP index, document by document. */
export class OccurrenceTableBuilder {
  private readonly documents: TableDocument[] = [];
  private readonly high = new NumberColumn();
  private readonly low = new NumberColumn();
  private readonly flags = new NumberColumn();
  private readonly lines = new NumberColumn();
  private readonly columns = new NumberColumn();
  private readonly references = new NumberColumn();
  /** Index of each symbol by its hash. */
  private readonly symbols = new Map<string, number>();

  constructor(private readonly slices: TimeSlices) {}

  /** @throws ScipError if the index has too many occurrences or symbols. */
  async add(
    document: Omit<TableDocument, 'count'>,
    occurrences: readonly PlacedOccurrence[],
  ): Promise<void> {
    requireAtMost(this.lines.length + occurrences.length, SCIP_LIMITS.occurrences, 'occurrences');
    const sorted = isSorted(occurrences)
      ? occurrences
      : await sortedInSlices(occurrences, byPlace, this.slices);
    const known = new Map<string, KnownSymbol>();
    for (const [at, { line, column, symbol, isDefinition, isImport }] of sorted.entries()) {
      if (at % CHECK_EVERY === 0 && this.slices.isUsedUp) await this.slices.pause();
      const { index, isConstructor } = known.get(symbol) ?? this.known(symbol, document.path);
      known.set(symbol, { index, isConstructor });
      this.lines.push(line);
      this.columns.push(column);
      const roles =
        (isDefinition && !isConstructor ? DEFINITION_BIT : 0) | (isImport ? IMPORT_BIT : 0);
      this.references.push((index << ROLE_BITS) | roles);
    }
    this.documents.push({ ...document, count: occurrences.length });
  }

  get counts(): { readonly documents: number; readonly occurrences: number; symbols: number } {
    return {
      documents: this.documents.length,
      occurrences: this.lines.length,
      symbols: this.high.length,
    };
  }

  /** Returns the table as bytes. */
  async encode(owner: TableOwner): Promise<Uint8Array> {
    const { starts, definitions } = await this.definitions();
    const list = await this.list();
    const sections = [
      this.high.values,
      this.low.values,
      starts,
      definitions,
      this.lines.values,
      this.columns.values,
      this.references.values,
    ].map((each) => new Uint8Array(each.buffer, each.byteOffset, each.byteLength));
    const body = await joinBytes([...sections, Uint8Array.from(this.flags.values), ...list]);
    const listBytes = list.reduce((sum, { length }) => sum + length, 0);
    const head = tableHead(owner, {
      ...this.counts,
      definitions: definitions.length,
      listBytes,
    });
    const params = { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 };
    return Buffer.concat([Buffer.from(head), await compress(body, { params })]);
  }

  private known(text: string, path: string): KnownSymbol {
    const { high, low, isLocal, isInner, isConstructor } = hashSymbol(text, path);
    const key = `${high}:${low}`;
    const known = this.symbols.get(key);
    if (known !== undefined) return { index: known, isConstructor };
    const index = this.high.length;
    requireAtMost(index + 1, SCIP_LIMITS.symbols, 'symbols');
    this.symbols.set(key, index);
    this.high.push(high);
    this.low.push(low);
    this.flags.push((isLocal ? LOCAL_BIT : 0) | (isInner ? INNER_BIT : 0));
    return { index, isConstructor };
  }

  /** Returns the definitions of each symbol: a counting sort. */
  private async definitions() {
    const { references, slices } = this;
    const starts = new Uint32Array(this.high.length + 1);
    const eachDefinition = async (visit: (symbol: number, at: number) => void) => {
      for (let at = 0; at < references.length; at += 1) {
        if (at % CHECK_EVERY === 0 && slices.isUsedUp) await slices.pause();
        const reference = references.at(at);
        if ((reference & DEFINITION_BIT) !== 0) visit(reference >>> ROLE_BITS, at);
      }
    };
    await eachDefinition((symbol) => (starts[symbol + 1] = (starts[symbol + 1] as number) + 1));
    for (let symbol = 0; symbol < this.high.length; symbol += 1)
      starts[symbol + 1] = (starts[symbol + 1] as number) + (starts[symbol] as number);
    const next = starts.slice();
    const definitions = new Uint32Array(starts.at(-1) as number);
    await eachDefinition((symbol, at) => {
      const place = next[symbol] as number;
      definitions[place] = at;
      next[symbol] = place + 1;
    });
    return { starts, definitions };
  }

  private async list(): Promise<Uint8Array[]> {
    const parts: Uint8Array[] = [Buffer.from('{"documents":[')];
    for (const [at, document] of this.documents.entries()) {
      if (this.slices.isUsedUp) await this.slices.pause();
      parts.push(Buffer.from(`${at === 0 ? '' : ','}${JSON.stringify(document)}`));
    }
    return [...parts, Buffer.from(']}')];
  }
}

function byPlace(a: PlacedOccurrence, b: PlacedOccurrence): number {
  return a.line - b.line || a.column - b.column;
}

function isSorted(occurrences: readonly PlacedOccurrence[]): boolean {
  return occurrences.every((each, at) => {
    const before = occurrences[at - 1];
    return !before || byPlace(before, each) <= 0;
  });
}
