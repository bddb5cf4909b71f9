import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { candidate, OPTIONS, paths, QUERY, STATISTICS } from '#test/support/rank-candidates';

import { analyzeQuery } from '../analysis/analyze-query.js';
import { modelProfile } from './model-profiles.js';
import { rank } from './rank.js';
import type { RankCandidate, RankOptions } from './rank.types.js';

describe('rank', () => {
  it('adds the legs by weight, each absolute', () => {
    const [only] = rank(
      QUERY,
      [candidate({ path: 'x', termFrequencies: [1, 1] })],
      STATISTICS,
      OPTIONS,
    );
    expect(only?.legs.lexical).toBeCloseTo(1 / 2.2, 6);
    expect(only?.legs.semantic).toBe(0.3);
    // .5 × 1/2.2 + .5 × .3 = .3773; the only file has all the evidence: + (1 − s) × .4 × s.
    expect(only?.score).toBeCloseTo(0.37727 + (1 - 0.37727) * 0.4 * 0.37727, 4);
  });

  it('scores a candidate alike whatever else is found, but for coherence', () => {
    const one = candidate({ cosine: 0.6 });
    const alone = rank(QUERY, [one], STATISTICS, OPTIONS)[0];
    const beside = rank(QUERY, [one, candidate({ cosine: 0.1 })], STATISTICS, OPTIONS)[0];
    expect(beside?.score).toBe(alone?.score);
  });

  it('scores the legs alike for all filters; coherence moves the rest within its bound', () => {
    const one = candidate({ cosine: 0.6 });
    const strong = [1, 2, 3].map((at) =>
      candidate({ path: 'strong.ts', cosine: 0.7, startLine: at * 20, endLine: at * 20 + 9 }),
    );
    const scoreOf = (candidates: RankCandidate[], without: RankOptions['without'] = new Set()) =>
      rank(QUERY, candidates, STATISTICS, { ...OPTIONS, without }).find(
        (entry) => entry.candidate === one,
      );
    const alone = scoreOf([one]);
    const beside = scoreOf([one, ...strong]);
    expect(beside?.legs).toMatchObject({
      lexical: alone?.legs.lexical,
      semantic: alone?.legs.semantic,
    });
    expect(beside?.score).not.toBe(alone?.score);
    const plain = scoreOf([one, ...strong], new Set(['coherence']))?.score ?? NaN;
    expect(scoreOf([one], new Set(['coherence']))?.score).toBe(plain);
    const best =
      rank(QUERY, strong, STATISTICS, { ...OPTIONS, without: new Set(['coherence']) })[0]?.score ??
      NaN;
    for (const found of [alone, beside]) {
      expect(found?.score).toBeGreaterThanOrEqual(plain);
      expect(found?.score).toBeLessThanOrEqual(plain + 0.4 * (1 - plain) * best);
    }
  });

  it('stays within 0 and 1 before the priority, for whatever comes', () => {
    const any = fc.record({
      termFrequencies: fc.tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 255 })),
      length: fc.integer({ min: 0, max: 5000 }),
      cosine: fc.double({ min: -1, max: 1, noNaN: true }),
      path: fc.constantFrom('close.ts', 'src/connections/close.ts', 'test/a.test.ts', 'b.d.ts'),
      defs: fc.constantFrom([], ['close']),
    });
    fc.assert(
      fc.property(
        fc.array(any, { maxLength: 20 }),
        fc.constantFrom('close', 'close connections', 'x'),
        (fields, text) => {
          const ranked = rank(
            analyzeQuery(text),
            fields.map((each) => candidate(each)),
            STATISTICS,
            OPTIONS,
          );
          return ranked.every(
            ({ score, legs }, i) =>
              score > 0 &&
              legs.combined <= 1 &&
              (i === 0 || score <= (ranked[i - 1]?.score ?? Infinity)),
          );
        },
      ),
    );
  });

  it('gives the same list for the same candidates in any order', () => {
    const candidates = Array.from({ length: 30 }, (_, i) =>
      candidate({ cosine: (i % 3) / 4, path: `p${i % 7}`, startLine: i * 10, endLine: i * 10 + 5 }),
    );
    const forward = rank(QUERY, candidates, STATISTICS, OPTIONS);
    expect(rank(QUERY, [...candidates].reverse(), STATISTICS, OPTIONS)).toEqual(forward);
  });

  it.each(['names', 'coherence', 'coverage', 'priors', 'saturation'] as const)(
    'can leave out the step %s, for measuring',
    (step) => {
      const same = [
        candidate({ path: 'test/close.ts', cosine: 0.9, startLine: 1, endLine: 9 }),
        candidate({ path: 'test/close.ts', cosine: 0.8, startLine: 20, endLine: 29 }),
      ];
      const asked =
        step === 'coverage'
          ? analyzeQuery('what happens to open connections while servers close slowly')
          : QUERY;
      const scores = (without: readonly (typeof step)[]): number[] =>
        rank(asked, same, STATISTICS, { ...OPTIONS, without: new Set(without) }).map(
          ({ score }) => score,
        );
      expect(scores([step])).not.toEqual(scores([]));
    },
  );

  it.each([
    'test/pool.ts',
    'src/pool.spec.ts',
    'examples/pool.ts',
    'PoolTest.java',
    'bench/pool.rs',
    'types/pool.d.ts',
  ])('holds %s back behind plain code', (path) => {
    const better = candidate({ path, cosine: 0.5 });
    expect(paths([better, candidate({ path: 'src/pool.ts', cosine: 0.4 })])).toEqual([
      'src/pool.ts',
      path,
    ]);
  });

  it('takes prose of a repository back a little, and its release notes by half, unless they are asked for', () => {
    const beside = (path: string) =>
      paths([
        candidate({ path, chunkType: 'docs', cosine: 0.5 }),
        candidate({ path: 'src/pool.ts', cosine: 0.47 }),
      ]);
    expect(beside('docs/pool.md')).toEqual(['src/pool.ts', 'docs/pool.md']);
    const notes = candidate({ path: 'CHANGES.rst', chunkType: 'docs', cosine: 0.6 });
    const guide = () => candidate({ path: 'docs/pool.md', chunkType: 'docs', cosine: 0.3 });
    expect(paths([notes, guide()])).toEqual(['docs/pool.md', 'CHANGES.rst']);
    expect(paths([notes, guide()], analyzeQuery('CHANGES.rst'))[0]).toBe('CHANGES.rst');
    const pages = {
      ...OPTIONS,
      sourceOf: () => ({ ...OPTIONS.sourceOf('x'), isRepository: false }),
    };
    expect(paths([notes, guide()], QUERY, pages)[0]).toBe('CHANGES.rst');
  });

  it('applies the priors of tests and examples to code of repositories alone', () => {
    const docs = candidate({ path: 'docs/pool.md', chunkType: 'docs', cosine: 0.5 });
    expect(paths([docs, candidate({ path: 'src/pool.ts', cosine: 0.4 })])[0]).toBe('docs/pool.md');
  });

  it('ranks bundled projects lower, unless the query or a path filter names them', () => {
    const own = () => candidate({ path: 'src/pool.ts', cosine: 0.4 });
    const bundled = () => candidate({ path: 'deps/lua/pool.ts', cosine: 0.5 });
    expect(paths([bundled(), own()])).toEqual(['src/pool.ts', 'deps/lua/pool.ts']);
    const named = analyzeQuery('where does Lua close connections');
    expect(paths([bundled(), own()], named)[0]).toBe('deps/lua/pool.ts');
    const filtered = { ...OPTIONS, pathPatterns: ['deps/**', 'src/**'] };
    expect(paths([bundled(), own()], QUERY, filtered)[0]).toBe('deps/lua/pool.ts');
  });

  it('ranks tests lower, unless the query is about one or a path filter selects them', () => {
    const own = () => candidate({ path: 'src/pool.py', cosine: 0.4 });
    const test = () => candidate({ path: 'tests/test_pool.py', cosine: 0.5 });
    expect(paths([test(), own()])).toEqual(['src/pool.py', 'tests/test_pool.py']);
    const asked = analyzeQuery('what does the test function of the pool check');
    expect(paths([test(), own()], asked)[0]).toBe('tests/test_pool.py');
    const helped = analyzeQuery('how do I close connections in my tests');
    expect(paths([test(), own()], helped)[0]).toBe('src/pool.py');
    const filtered = { ...OPTIONS, pathPatterns: ['{src,tests}/**'] };
    expect(paths([test(), own()], QUERY, filtered)[0]).toBe('tests/test_pool.py');
  });

  it('ranks the lines of a package file that define nothing lower', () => {
    const own = () => candidate({ path: 'pool/shut.py', cosine: 0.4 });
    const file = (symbol?: string) =>
      candidate({ path: 'pool/__init__.py', cosine: 0.5, ...(symbol && { symbol }) });
    expect(paths([file(), own()])[0]).toBe('pool/shut.py');
    expect(paths([file('Pool'), own()])[0]).toBe('pool/__init__.py');
  });

  it('ranks the test module of a Rust file as a test', () => {
    const tests = candidate({ path: 'src/pool.rs', symbol: 'tests.closes', cosine: 0.5 });
    const code = candidate({ path: 'src/pool.rs', symbol: 'close', startLine: 20, endLine: 30 });
    const [first] = rank(QUERY, [tests, code], STATISTICS, OPTIONS);
    expect(first?.candidate.symbol).toBe('close');
    const asked = analyzeQuery('which test case closes the pool of connections');
    expect(rank(asked, [tests, code], STATISTICS, OPTIONS)[0]?.candidate.symbol).toBe(
      'tests.closes',
    );
  });

  it('multiplies by the source priority; 0 removes the source', () => {
    const sourceOf = (id: string) => ({ ...OPTIONS.sourceOf(id), priority: id === 'off' ? 0 : 2 });
    const candidates = [
      candidate({ sourceId: 'off', cosine: 0.9 }),
      candidate({ sourceId: 'on', cosine: 0.9, termFrequencies: [9, 9] }),
    ];
    const ranked = rank(QUERY, candidates, STATISTICS, { ...OPTIONS, sourceOf });
    expect(ranked.map((entry) => entry.candidate.sourceId)).toEqual(['on']);
    expect(ranked[0]?.score).toBe(2 * (ranked[0]?.legs.combined ?? 0));
    expect(ranked[0]?.score).toBeGreaterThan(1);
  });

  it('uses the cosines of each model as its profile says, within one list', () => {
    const profileOf: RankOptions['profileOf'] = (model) =>
      model === 'learned' ? modelProfile(model, { low: 0.6, high: 0.8 }) : modelProfile(model);
    const of = (cosineModel: string | undefined, cosine: number, termFrequencies = [0, 0]) =>
      candidate({ path: `${cosineModel}${cosine}.go`, cosineModel, cosine, termFrequencies });
    const found = [
      of('learned', 0.69),
      of('learned', 0.72),
      of('learned', 0.9),
      of(undefined, 0),
      of(undefined, 0, [1, 1]),
    ];
    const ranked = rank(QUERY, found, STATISTICS, {
      ...OPTIONS,
      profileOf,
      without: new Set(['coherence']),
    });
    const rounded = (value = NaN): number => Math.round(value * 1e6) / 1e6;
    expect(ranked.map(({ candidate: { path }, score }) => [path, rounded(score)])).toEqual([
      ['learned0.9.go', 0.7],
      ['undefined0.go', rounded(1 / 2.2)],
      ['learned0.72.go', 0.42],
    ]);
  });

  it('leaves out what has no query term and a similarity under the floor', () => {
    const none = { termFrequencies: [0, 0] };
    expect(
      paths([
        candidate({ ...none, cosine: 0.24 }),
        candidate({ ...none, cosine: 0.25, path: 'near.ts' }),
      ]),
    ).toEqual(['near.ts']);
  });
});
