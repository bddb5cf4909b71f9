import { open } from 'node:fs/promises';

import { readScipDocument, scipOccurrences } from '#code-search/scip/scip-document';
import { scipDocuments } from '#code-search/scip/scip-documents';
import { utf16Column } from '#code-search/scip/utf16-column';
import { TimeSlices } from '#platform';

import { type SymbolKind, symbolKind } from './symbol-kind.js';

/** A place in a file; line and column count from 1. */
export interface TruePlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** A symbol of an index that other files can name. */
export interface TrueSymbol {
  readonly symbol: string;
  readonly kind: SymbolKind;
  readonly definitions: TruePlace[];
  readonly references: TruePlace[];
}

/** The symbols and definitions of an index in the files of a repository. */
export interface ScipTruth {
  readonly paths: ReadonlySet<string>;
  readonly symbols: ReadonlyMap<string, TrueSymbol>;
  /** Places of all definitions, those inside of functions too, by {@link placeKey}. */
  readonly defined: ReadonlySet<string>;
  /** Places of all identifiers that the index knows, by {@link placeKey}. */
  readonly known: ReadonlySet<string>;
}

/** A constructor of scip-java: `new Cart()` counts as a reference to the class. */
const CONSTRUCTED = /`<init>`\([\w+-]*\)\.$/;
/** A variable with an annotation, which scip-python names otherwise where it is used. */
const ANNOTATED = /^(scip-python .*\/)(\w+)\.\2\.$/;

/** Reads an index. @param linesOf returns the lines of an indexed file; undefined for others. */
export async function scipTruth(
  file: string,
  linesOf: (path: string) => readonly string[] | undefined,
): Promise<ScipTruth> {
  const handle = await open(file);
  const slices = new TimeSlices();
  const paths = new Set<string>();
  const symbols = new Map<string, TrueSymbol>();
  const defined = new Set<string>();
  const known = new Set<string>();
  try {
    const { size } = await handle.stat();
    const read = async (offset: number, length: number): Promise<Uint8Array> => {
      const buffer = Buffer.alloc(Math.min(length, size - offset));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, offset);
      return buffer.subarray(0, bytesRead);
    };
    for await (const bytes of scipDocuments({ size, read })) {
      const document = await readScipDocument(bytes, slices);
      const lines = linesOf(document.path);
      if (!lines || paths.has(document.path)) continue;
      paths.add(document.path);
      for await (const batch of scipOccurrences(document, slices))
        for (const occurrence of batch) {
          const at = utf16Column(lines[occurrence.line] ?? '', occurrence.column, document.units);
          if (at === undefined) continue;
          const place = { path: document.path, line: occurrence.line + 1, column: at + 1 };
          known.add(placeKey(place));
          if (occurrence.isDefinition) defined.add(placeKey(place));
          const named = Buffer.from(occurrence.symbol).toString();
          const symbol = occurrence.isDefinition ? named : named.replace(CONSTRUCTED, '');
          const kind = symbolKind(symbol);
          if (!kind) continue;
          const key = symbol.replace(ANNOTATED, '$1$2#');
          const before = symbols.get(key) ?? { symbol, kind, definitions: [], references: [] };
          const own = occurrence.isDefinition ? { ...before, symbol, kind } : before;
          symbols.set(key, own);
          (occurrence.isDefinition ? own.definitions : own.references).push(place);
        }
    }
  } finally {
    await handle.close();
  }
  return { paths, symbols, defined, known };
}

/** Returns the key of a place. */
export function placeKey({ path, line, column }: TruePlace): string {
  return `${path}:${line}:${column}`;
}
