import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { MatchThreads, type QueryNode, type ScannedDocument } from '#code-search';
import { unpackMatches } from '#code-search/threads/packed-matches';

/** Milliseconds of a batch; its thread is ended 100 ms later. */
const BUDGET_MS = 200;
/** Milliseconds of the main thread's processor for one pattern, messages included. */
const MOST_MAIN_MS = 50;
/** A collection of garbage may fall into one run; work for a pattern comes again in each. */
const MOST_RUNS = 5;

const NESTED = [
  '(a+)+',
  '(a*)*',
  '(a|aa)+',
  '(a|a?)+',
  '(a+){2,}',
  '((a*)b?)*',
  '(.*)*',
  '(\\w*\\d*)*',
];
const ENDS = ['$', 'x', '!$', '\\b!', '[^a]$'];
const COUNTS = [
  'a{1000}',
  '(a{100}){100}',
  '(a?){1000}',
  'a{0,1000}b',
  '\\w{1000}',
  '(\\w{99}){999}',
  '.{1000}.{1000}',
  '(ab?){500}',
  '[^b]{900}',
  '(?:a{1000}){1000}',
];
const CLASSES = [
  '\\p{L}',
  '\\P{L}',
  '\\p{Greek}',
  '[\\p{L}--\\p{Lu}]',
  '[^\\p{N}]',
  '\\w',
  '(?i)\\p{Lu}',
  '[\\s\\S]',
  '[a-z&&[^b]]',
  '\\p{Any}',
];
const BROKEN = [
  '(',
  ')',
  '[',
  '*',
  'a**',
  '(?=a)',
  '(?<!a)',
  '\\1',
  '(?P<a',
  '\\',
  'a{2,1}',
  '[z-a]',
  '(?Z)',
  '\\p{No_Such}',
  '\\u{110000}',
  '\\A',
  '\\n',
  '('.repeat(200),
  '['.repeat(200),
  '(?i'.repeat(50),
];
const PATTERNS = [
  ...NESTED.flatMap((part) => ENDS.map((end) => `^${part}${end}`)),
  ...NESTED.flatMap((part) => ENDS.slice(0, 2).map((end) => `${part}${part}${part}${end}`)),
  ...COUNTS.flatMap((part) => [part, `${part}$`, `(${part})*`]),
  ...CLASSES.flatMap((part) => [
    `${part}{50}`,
    `(${part}+)+$`,
    `(${part}*){20}x`,
    `${part}{1,100}${part}{1,100}!`,
  ]),
  ...BROKEN,
  ...Array.from({ length: 20 }, (_, at) =>
    Array.from({ length: 40 + at }, (__, n) => `a{${n}}b`).join('|'),
  ),
  ...Array.from({ length: 20 }, (_, at) => `(?i)(${'a|b|'.repeat(40 + at)}c)+d`),
  ...Array.from(
    { length: 14 },
    (_, at) => `${'(a|'.repeat(10 + 10 * at)}b${')'.repeat(10 + 10 * at)}*c`,
  ),
];

const HOSTILE: readonly ScannedDocument[] = [
  'a'.repeat(60_000),
  `${'a'.repeat(300)}\n`.repeat(100),
  'ab'.repeat(20_000),
  '\n'.repeat(20_000),
  'é'.repeat(20_000),
  '😀ß'.repeat(10_000),
].map((content, at) => ({
  path: `${at}.txt`,
  text: { pieces: [{ startLine: 1, content }] },
}));

function queryOf(pattern: string): QueryNode {
  const expression = { pattern, regex: true, caseSensitive: true, word: false };
  return { kind: 'term', field: 'content', expression, at: 0 };
}

describe('hostile patterns of code search', () => {
  let threads: MatchThreads;
  beforeAll(() => {
    threads = new MatchThreads(1);
  });
  afterAll(() => threads.close());

  const run = (tenant: string, pattern: string, documents = HOSTILE, budgetMs = BUDGET_MS) =>
    threads.run(tenant, {
      query: queryOf(pattern),
      documents,
      contextLines: 0,
      maxLines: 100,
      budgetMs,
      oneByOne: false,
      stop: new SharedArrayBuffer(4),
    });

  /** Runs the pattern until the main thread is within its limit; returns the least work of it. */
  const leastWork = async (pattern: string) => {
    let mainMs = Infinity;
    for (let count = 1; ; count++) {
      const before = process.threadCpuUsage();
      const { kind } = await run('hostile', pattern);
      const { user, system } = process.threadCpuUsage(before);
      mainMs = Math.min(mainMs, (user + system) / 1_000);
      if (mainMs <= MOST_MAIN_MS || count === MOST_RUNS) return { kind, mainMs };
    }
  };

  it('answers, rejects or ends each of 200, with little work of the main thread', async () => {
    expect(PATTERNS.length).toBeGreaterThanOrEqual(200);
    const kinds = new Map<string, number>();
    for (const pattern of PATTERNS) {
      const { kind, mainMs } = await leastWork(pattern);
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
      if (mainMs > MOST_MAIN_MS) throw new Error(`${mainMs} ms of the main thread for ${pattern}`);
    }
    expect(
      [...kinds.keys()].every((kind) => ['matches', 'bad_pattern', 'late'].includes(kind)),
    ).toBe(true);
    expect(kinds.get('matches')).toBeGreaterThan(50);
    expect(kinds.get('bad_pattern')).toBeGreaterThan(15);
  });

  it('answers another tenant after a thread was ended', async () => {
    const pieces = [{ startLine: 1, content: 'x\nneedle' }];
    const answer = await run('other', 'needle', [{ path: 'a', text: { pieces } }], 10_000);
    if (answer.kind !== 'matches') throw new Error(answer.kind);
    expect(unpackMatches(answer.documents)).toMatchObject([{ lines: [{ number: 2 }] }]);
  });
});
