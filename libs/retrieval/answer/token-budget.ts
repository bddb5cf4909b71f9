/** The parts of a result that a budget may change. */
export interface BudgetedResult {
  readonly content: string;
  readonly token_count: number;
  readonly citation: { readonly start_line?: number; readonly end_line?: number };
}

/**
 * Takes results in rank order while they fit into `maxTokens`. If the first alone is too big, it is
 * cut at a line end. If its first line alone is too long, the cut is inside that line. Its
 * `end_line` and `token_count` follow. The result never has more tokens than the budget.
 *
 * @param countTokens counts the tokens of a text; called only when the first result has to be cut
 */
export function fitToBudget<R extends BudgetedResult>(
  results: readonly R[],
  maxTokens: number,
  countTokens: (text: string) => number,
): R[] {
  const [first] = results;
  if (first && first.token_count > maxTokens) return cutToFit(first, maxTokens, countTokens);
  const fitting: R[] = [];
  let used = 0;
  for (const result of results) {
    if (used + result.token_count > maxTokens) break;
    used += result.token_count;
    fitting.push(result);
  }
  return fitting;
}

function cutToFit<R extends BudgetedResult>(
  result: R,
  maxTokens: number,
  countTokens: (text: string) => number,
): R[] {
  const lines = result.content.split('\n');
  const firstLines = (count: number): string => lines.slice(0, count).join('\n');
  const whole = largest(lines.length - 1, (count) => countTokens(firstLines(count)) <= maxTokens);
  const line = lines[0] ?? '';
  const content =
    whole > 0
      ? firstLines(whole)
      : line.slice(
          0,
          largest(line.length, (end) => countTokens(line.slice(0, end)) <= maxTokens),
        );
  const wellFormed = content.isWellFormed() ? content : content.slice(0, -1);
  if (wellFormed === '') return [];
  const { start_line: start } = result.citation;
  const citation =
    start === undefined
      ? result.citation
      : { ...result.citation, end_line: start + Math.max(1, whole) - 1 };
  return [{ ...result, content: wellFormed, token_count: countTokens(wellFormed), citation }];
}

/**
 * Returns the largest n in 0..limit for which `fits(n)`, by bisection: token counts grow with the
 * text.
 */
function largest(limit: number, fits: (n: number) => boolean): number {
  let low = 0;
  let high = limit;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
