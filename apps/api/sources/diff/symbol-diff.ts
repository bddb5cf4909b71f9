import type { SymbolDiffView } from '#contracts/http/index';
import type { IndexedChunk } from '#search-index';

/** The parts of a chunk that decide a difference. */
export type SymbolChunk = Pick<IndexedChunk, 'symbol' | 'content'>;

/** Returns the symbols that differ between two versions of a document, in order of appearance. */
export function differentSymbols(
  before: readonly SymbolChunk[],
  after: readonly SymbolChunk[],
): SymbolDiffView[] {
  const then = contentBySymbol(before);
  const now = contentBySymbol(after);
  const present = [...now].flatMap(([symbol, content]): SymbolDiffView[] => {
    const known = then.get(symbol);
    if (known === content) return [];
    return [{ symbol, change: known === undefined ? 'added' : 'changed' }];
  });
  const removed = [...then.keys()].filter((symbol) => !now.has(symbol));
  return [...present, ...removed.map((symbol) => ({ symbol, change: 'removed' as const }))];
}

/** Joins the chunks of each symbol: a long definition has several. */
function contentBySymbol(chunks: readonly SymbolChunk[]): Map<string, string> {
  const contents = new Map<string, string>();
  for (const { symbol, content } of chunks) {
    if (symbol === undefined) continue;
    const known = contents.get(symbol);
    contents.set(symbol, known === undefined ? content : `${known}\n${content}`);
  }
  return contents;
}
