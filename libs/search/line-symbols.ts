import { enclosingSymbols, type MatchedLine } from '#code-search';
import type { IndexedOutline } from '#search-index';

/**
 * Returns lines with the innermost definition around each. Lines of a document without recorded
 * definitions keep the symbol of their passage.
 */
export function withDefinitions(
  lines: readonly MatchedLine[],
  outline: () => IndexedOutline,
): readonly MatchedLine[] {
  if (lines.length === 0) return lines;
  const definitions = outline().definitions.map(({ symbol, start_line, end_line, place }) => {
    return { symbol, first: start_line, last: Math.max(end_line, place?.last_line ?? 0) };
  });
  if (definitions.length === 0) return lines;
  const symbols = enclosingSymbols(
    definitions,
    lines.map(({ number }) => number),
  );
  return lines.map((line, at) => ({ ...line, symbol: symbols[at] }));
}
