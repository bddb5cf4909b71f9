import { oneOf } from '#contracts/content/required-text';

import type { ByteSpan, LineMatcher } from '../pattern/line-engine.port.js';

/** Returns a matcher that finds the matches of all; overlapping ones are joined. */
export function unionMatcher(matchers: readonly LineMatcher[]): LineMatcher | undefined {
  if (matchers.length <= 1) return matchers[0];
  return {
    requiredLiteral: undefined,
    requiredText: oneOf(matchers.map(({ requiredText }) => requiredText)),
    find: (text) =>
      joined(
        matchers.flatMap((matcher) => {
          const { requiredLiteral } = matcher;
          const canMatch = requiredLiteral === undefined || text.includes(requiredLiteral);
          return canMatch ? matcher.find(text) : [];
        }),
      ),
    // The parts belong to the query.
    free: () => undefined,
  };
}

function joined(spans: readonly ByteSpan[]): readonly ByteSpan[] {
  const sorted = [...spans].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const result: ByteSpan[] = [];
  for (const [from, to] of sorted) {
    const last = result.at(-1);
    if (last && from < last[1]) result[result.length - 1] = [last[0], Math.max(last[1], to)];
    else result.push([from, to]);
  }
  return result;
}
