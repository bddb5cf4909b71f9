const MAX_PATTERN = 256;
const MAX_ALTERNATIVES = 64;

/**
 * Maximum characters of all alternatives of a list of patterns together, which limits the work for
 * a path.
 */
export const MAX_EXPANDED = 16_384;

/** Returns what is wrong with a pattern, as a sentence for people; null if it is valid. */
export function validateGlob(pattern: string): string | null {
  if (pattern.trim() === '') return 'must not be blank';
  if (pattern.length > MAX_PATTERN) return `must not be longer than ${MAX_PATTERN} characters`;
  if (/\p{Cc}/u.test(pattern) || !pattern.isWellFormed())
    return 'must not contain control characters';
  if (pattern.includes('\\'))
    return 'must use / between folders; escapes with \\ are not supported';
  if (/[[\]]/.test(pattern))
    return 'character classes such as [a-z] are not supported; use ? or {a,b}';
  if (/[?*+@!]\(/.test(pattern))
    return 'extended globs such as !(a|b) are not supported; use {a,b}';
  if (pattern.startsWith('!')) return 'must not begin with !; put it into exclude_patterns instead';
  if (!bracesBalance(pattern)) return 'has a { or } without its other half';
  const alternatives = expandBraces(pattern);
  if (alternatives === undefined)
    return `must not stand for more than ${MAX_ALTERNATIVES} alternatives`;
  const parts = alternatives.flatMap((alternative) => alternative.split('/'));
  if (parts.some((part) => part === '..' || part === '.'))
    return 'must not contain . or .. as a folder';
  if (alternatives.some((alternative) => alternative.replaceAll('/', '') === ''))
    return 'must name something';
  return null;
}

/**
 * Returns what is wrong with the size of a list of valid patterns, as a sentence for people; null
 * if it is acceptable. Invalid patterns count nothing.
 */
export function validateGlobList(patterns: readonly string[]): string | null {
  const size = patterns.reduce(
    (sum, pattern) => sum + (validateGlob(pattern) === null ? expandedSize(pattern) : 0),
    0,
  );
  if (size <= MAX_EXPANDED) return null;
  return `must not stand for more than ${MAX_EXPANDED} characters with all alternatives of {a,b} written out (got ${size})`;
}

/** Characters of all alternatives of a valid pattern. */
export function expandedSize(pattern: string): number {
  return alternativesOf(pattern).reduce((sum, alternative) => sum + alternative.length, 0);
}

/**
 * Returns the alternatives of a pattern.
 * @throws RangeError with the sentence of {@link validateGlob}.
 */
export function alternativesOf(pattern: string): readonly string[] {
  const problem = validateGlob(pattern);
  if (problem !== null)
    throw new RangeError(`The pattern "${pattern.slice(0, MAX_PATTERN)}" ${problem}`);
  return expandBraces(pattern) ?? [];
}

/**
 * Returns the last parts of the pattern's alternatives: `src/{a,b}.ts` → `a.ts`, `b.ts`. The part
 * is empty for a folder pattern that ends in `/`.
 * @throws RangeError with the sentence of {@link validateGlob}.
 */
export function lastParts(pattern: string): readonly string[] {
  return alternativesOf(pattern).map((alternative) =>
    alternative.slice(alternative.lastIndexOf('/') + 1),
  );
}

function bracesBalance(pattern: string): boolean {
  let depth = 0;
  for (const character of pattern) {
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Expands the first braces recursively; undefined if there are too many alternatives. */
function expandBraces(pattern: string): readonly string[] | undefined {
  const done: string[] = [];
  const open = [pattern];
  while (open.length > 0) {
    if (done.length + open.length > MAX_ALTERNATIVES) return undefined;
    const next = open.pop() ?? '';
    const start = next.indexOf('{');
    if (start === -1) {
      done.push(next);
      continue;
    }
    const { choices, end } = choicesAt(next, start);
    open.push(...choices.map((choice) => next.slice(0, start) + choice + next.slice(end + 1)));
  }
  return done;
}

/** Returns the comma-separated choices of the brace at `start`, with inner braces unchanged. */
function choicesAt(
  pattern: string,
  start: number,
): { readonly choices: readonly string[]; readonly end: number } {
  const choices: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    const ends = depth === 0;
    if (ends || (depth === 1 && character === ',')) {
      choices.push(pattern.slice(from, at));
      from = at + 1;
    }
    if (ends) return { choices, end: at };
  }
  return { choices, end: pattern.length };
}
