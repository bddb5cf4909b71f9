import type { DefinitionSpan } from '#search-index';

/**
 * Returns the symbol of the innermost definition around each line; undefined outside of all.
 * @param lines ascending.
 */
export function enclosingSymbols(
  definitions: readonly DefinitionSpan[],
  lines: readonly number[],
): readonly (string | undefined)[] {
  const sorted = [...definitions].sort((a, b) => a.first - b.first || b.last - a.last);
  const open: DefinitionSpan[] = [];
  let next = 0;
  return lines.map((line) => {
    for (; (sorted[next]?.first ?? Infinity) <= line; next += 1)
      open.push(sorted[next] as DefinitionSpan);
    while ((open.at(-1)?.last ?? Infinity) < line) open.pop();
    return open.at(-1)?.symbol;
  });
}
