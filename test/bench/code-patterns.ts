import type { LineExpression } from '#code-search/pattern/line-engine.port';

/** Expressions of the kind that people search code for. */
const REAL: readonly string[] = [
  '(?i)\\b(todo|fixme)\\b',
  '[A-Z]{3,}_[A-Z]{3,}',
  '\\d{5,}',
  '^\\s*(import|from|use|using|#include)\\b.*[;>\'"]?$',
  '\\b(catch|except|rescue)\\b',
  'new \\w+\\(\\)',
  '\\w+Error\\b',
  '^#+ \\w+',
  'https?://[^\\s"\'<>)]+',
  '\\b(public|private|protected)\\s+static\\b',
  '[^\\x00-\\x7F]',
  '\\s+$',
  '"[^"]{40,}"',
  '\\bv?\\d+\\.\\d+\\.\\d+\\b',
  '(\\w+)\\.(\\w+)\\.(\\w+)\\(',
  '\\p{Lu}\\p{Ll}+\\p{Lu}\\p{Ll}+',
];
const WORDS = /[A-Za-z_]\w{2,30}/g;

/** Returns patterns for texts, the same for one seed: fixed ones and ones of their own words. */
export function codePatterns(
  texts: readonly string[],
  count: number,
  seed: number,
): readonly LineExpression[] {
  const random = generator(seed);
  const pick = <Value>(values: readonly Value[]): Value =>
    values[Math.floor(random() * values.length)] as Value;
  const word = (): string => pick(pick(texts).slice(0, 100_000).match(WORDS) ?? ['the']);
  const line = (): string => pick(pick(texts).split('\n')).slice(0, 80) || 'the';
  const made: readonly (() => LineExpression)[] = [
    () => expression(word(), {}),
    () => expression(word(), { word: true }),
    () => expression(word().toUpperCase(), { caseSensitive: false }),
    () => expression(line(), {}),
    () => expression(`\\b${word()}\\w*\\(`, { regex: true }),
    () => expression(`(${word()}|${word()}).*${word().slice(0, 3)}`, { regex: true }),
    () => expression(`^\\s*${word()}`, { regex: true }),
    () => expression(`${word().slice(0, 3)}[a-z]{2,6}`, { regex: true, caseSensitive: false }),
    () => expression(`[^${word()[0]}]${word().slice(1)}$`, { regex: true }),
    () => expression(`${word()}|${word()}`, { regex: true, word: true }),
  ];
  const fixed = REAL.map((pattern) => expression(pattern, { regex: true }));
  const own = Array.from({ length: Math.max(0, count - fixed.length) }, (_, at) =>
    (made[at % made.length] as () => LineExpression)(),
  );
  return [...fixed, ...own].slice(0, count);
}

function expression(pattern: string, fields: Partial<LineExpression>): LineExpression {
  return { pattern, regex: false, caseSensitive: true, word: false, ...fields };
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
