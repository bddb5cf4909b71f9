import { enclosingSymbols, type MatchedLine } from '#code-search';
import type { IndexedDocument } from '#search-index';

/** A matching line with what it belongs to. */
export interface NamedLine extends MatchedLine {
  /** Definition or heading that contains the line. */
  readonly symbol: string | undefined;
}

/**
 * Returns lines with the innermost definition around each. Lines of a document without recorded
 * definitions have the symbol of their passage.
 */
export function withSymbols(
  lines: readonly MatchedLine[],
  { definitions, symbolOf }: Pick<IndexedDocument, 'definitions' | 'symbolOf'>,
): readonly NamedLine[] {
  if (lines.length === 0) return [];
  const spans = definitions();
  if (spans.length === 0)
    return lines.map((line) => {
      return { ...line, symbol: line.piece === undefined ? undefined : symbolOf(line.piece) };
    });
  const symbols = enclosingSymbols(
    spans,
    lines.map(({ number }) => number),
  );
  return lines.map((line, at) => ({ ...line, symbol: symbols[at] }));
}
