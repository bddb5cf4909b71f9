import { PatternError } from './pattern-error.js';

/** Maximum nesting of groups and classes. */
const MOST_NESTING = 100;

/** Escapes that depend on the place of a line in its file, or span lines. */
const REFUSED_ESCAPES: Readonly<Record<string, string>> = {
  A: 'must not contain \\A; use ^, which matches at the start of each line',
  z: 'must not contain \\z; use $, which matches at the end of each line',
  n: 'must not contain a line break; each line is searched alone',
  r: 'must not contain \\r; use \\s for white space at the end of a line',
};

/**
 * Checks the properties of an expression that the engine does not check: each line is searched
 * alone, and groups are nested to a limited depth.
 * @throws PatternError with the position of the problem.
 */
export function checkExpression(pattern: string): void {
  let depth = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '\\') {
      const refused = REFUSED_ESCAPES[pattern[at + 1] ?? ''];
      if (refused) throw new PatternError(refused, characterAt(pattern, at));
      at += 1;
    } else if (character === '(' || character === '[') {
      depth += 1;
      if (depth > MOST_NESTING)
        throw new PatternError(
          `must have at most ${MOST_NESTING} nested groups; write it with fewer`,
          characterAt(pattern, at),
        );
    } else if (character === ')' || character === ']') {
      depth -= 1;
    }
  }
}

/** Returns the expression that matches a text literally. */
export function literalExpression(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$#&\-~]/g, '\\$&');
}

function characterAt(pattern: string, unit: number): number {
  return [...pattern.slice(0, unit)].length;
}
