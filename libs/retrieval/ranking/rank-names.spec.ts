import { describe, expect, it } from '@jest/globals';

import { candidate, OPTIONS, paths, STATISTICS } from '#test/support/rank-candidates';

import { analyzeQuery } from '../analysis/analyze-query.js';
import { rank } from './rank.js';
import type { RankCandidate, RankStep } from './rank.types.js';

describe('rank, of names and paths', () => {
  it('puts the file first that is asked for by its name, in whatever folder', () => {
    const files = [
      candidate({
        path: 'docs/config.rst',
        chunkType: 'docs',
        termFrequencies: [9, 9],
        cosine: 0.5,
      }),
      candidate({ path: 'src/cli.py', termFrequencies: [9, 9], cosine: 0.5 }),
      candidate({ path: 'tests/Conftest.py', termFrequencies: [1, 0], cosine: 0.1 }),
    ];
    for (const text of [
      'conftest.py',
      'tests/conftest.py',
      './tests/conftest.py',
      ' /tests/conftest.py ',
    ]) {
      expect(paths(files, analyzeQuery(text))[0]).toBe('tests/Conftest.py');
    }
    for (const text of ['test.py', 'conftest', 'where is conftest.py', 'other/conftest.py']) {
      expect(paths(files, analyzeQuery(text))[0]).not.toBe('tests/Conftest.py');
    }
  });

  it('puts the definition of an identifier first, above mere mentions', () => {
    const mention = candidate({ path: 'a.ts', termFrequencies: [20, 0], cosine: 0.6 });
    const definition = candidate({ path: 'b.ts', defs: ['closeAll'] });
    const own = candidate({ path: 'close_all.ts', defs: ['closeAll'] });
    expect(paths([mention, definition, own], analyzeQuery('closeAll'))).toEqual([
      'close_all.ts',
      'b.ts',
      'a.ts',
    ]);
  });

  it('raises files whose name and folder say what is asked', () => {
    expect(
      paths([
        candidate({ path: 'src/util.ts' }),
        candidate({ path: 'src/connection/close.ts' }),
      ])[0],
    ).toBe('src/connection/close.ts');
  });

  it('puts the file whose whole name is asked before one whose name says more', () => {
    const ask = analyzeQuery('how a functor maps values');
    expect(
      paths(
        [
          candidate({ path: 'src/ContravariantFunctor.scala' }),
          candidate({ path: 'src/Functor.scala' }),
        ],
        ask,
      ),
    ).toEqual(['src/Functor.scala', 'src/ContravariantFunctor.scala']);
  });

  it('knows words of one family in a path by their long common beginning', () => {
    const ask = analyzeQuery('input validation');
    const found = [
      candidate({ path: 'src/Session.java' }),
      candidate({ path: 'src/Validator.java' }),
    ];
    expect(paths(found, ask)[0]).toBe('src/Validator.java');
  });

  it('lifts the definition of a capitalised word, unless most chunks speak of it', () => {
    const ask = analyzeQuery('how a Functor maps');
    const found = [
      candidate({ path: 'a.scala', cosine: 0.5, length: 90 }),
      candidate({ path: 'b.scala', cosine: 0.4, defs: ['Functor'] }),
    ];
    const first = (documentFrequency: number): string | undefined => {
      const known = { ...STATISTICS, documentFrequencies: [documentFrequency, 10] };
      return rank(ask, found, known, OPTIONS)[0]?.candidate.path;
    };
    expect(ask.terms[0]).toBe('functor');
    expect([first(10), first(50), first(51)]).toEqual(['b.scala', 'b.scala', 'a.scala']);
  });

  it('gives a file that a sentence names the path weight of a few words', () => {
    const ask = analyzeQuery('how does the SessionStore keep expired sessions between requests');
    const statistics = { ...STATISTICS, documentFrequencies: ask.terms.map(() => 10) };
    const options = {
      ...OPTIONS,
      without: new Set(['coherence', 'coverage', 'saturation'] as const),
    };
    const scoreBeside = (defs: readonly string[]) => {
      const shown = candidate({ path: 'src/session_store.ts', startLine: 20, endLine: 30 });
      const other = candidate({ path: 'src/session_store.ts', defs });
      return (
        rank(ask, [shown, other], statistics, options).find(({ candidate: c }) => c === shown)
          ?.score ?? NaN
      );
    };
    expect(scoreBeside(['SessionStore'])).toBeGreaterThan(1.2 * scoreBeside(['Other']));
  });

  it('reads the words of a path in a short query as a name, in a sentence as words among others', () => {
    const found = () => [
      candidate({ path: 'src/retry/backoff.ts', cosine: 0.3 }),
      candidate({ path: 'src/x.ts', cosine: 0.5 }),
    ];
    expect(paths(found(), analyzeQuery('retry backoff'))[0]).toBe('src/retry/backoff.ts');
    const sentence =
      'after how many seconds another attempt follows a broken call, and is there some backoff';
    expect(paths(found(), analyzeQuery(sentence))[0]).toBe('src/x.ts');
    expect(paths(found(), analyzeQuery(sentence.replace('after', 'After')))[0]).toBe('src/x.ts');
  });

  it('lifts a chunk by its path by three times its own evidence at most', () => {
    const [only] = rank(
      analyzeQuery('retry backoff'),
      [candidate({ path: 'retry/backoff.ts', termFrequencies: [0, 0], cosine: 0.3 })],
      STATISTICS,
      { ...OPTIONS, without: new Set(['coherence']) },
    );
    expect(only?.score).toBeCloseTo(0.15 + 3 * 0.15, 6);
  });

  it('takes nothing from the likeliest definition of a name that only tests or examples have', () => {
    const named = analyzeQuery('closeConnections');
    const inTests = (defs: string[]) =>
      candidate({ path: 'tests/pool.ts', termFrequencies: [1], defs });
    const inExamples = candidate({
      path: 'examples/tests/x.ts',
      termFrequencies: [1],
      defs: ['closeConnections'],
    });
    const use = candidate({ path: 'src/pool.ts', termFrequencies: [2] });
    expect(paths([use, inTests(['closeConnections']), inExamples], named)[0]).toBe('tests/pool.ts');
    expect(paths([use, inTests([])], named)[0]).toBe('src/pool.ts');
    const score = (candidates: RankCandidate[], path: string) =>
      rank(named, candidates, STATISTICS, OPTIONS).find(({ candidate }) => candidate.path === path)
        ?.legs.combined ?? 0;
    const alone = score([inTests(['closeConnections'])], 'tests/pool.ts');
    const beside = score(
      [
        inTests(['closeConnections']),
        candidate({
          path: 'src/b.ts',
          termFrequencies: [0],
          cosine: 0.9,
          defs: ['closeConnections'],
        }),
      ],
      'tests/pool.ts',
    );
    expect(alone).toBeGreaterThan(0.5);
    expect(beside).toBeLessThan(0.3);
  });

  it('finds the definition of a name too long to be a term', () => {
    const name = 'test_template_filter_after_route_with_template';
    const definition = candidate({
      path: 'tests/t.py',
      termFrequencies: [0, 0, 0, 0, 0],
      cosine: 0.01,
      defs: [name],
    });
    const unnamed = candidate({ termFrequencies: [0, 0, 0, 0, 0], cosine: 0.01 });
    for (const text of [name, `where is ${name}`]) {
      expect(paths([definition, unnamed], analyzeQuery(text))).toEqual(['tests/t.py']);
    }
  });

  it('lets a test keep its score that is named next to other code', () => {
    const found = [
      candidate({ path: 'tests/test_pool.py', defs: ['PoolTest'] }),
      candidate({ path: 'tests/test_other.py', defs: ['MiscTest'] }),
      candidate({ path: 'src/pool.py', defs: ['close_all'] }),
      candidate({ path: 'tests/fake.py', defs: ['close_all'] }),
    ];
    const scores = (without: readonly RankStep[]): Map<string, number> =>
      new Map(
        rank(analyzeQuery('how PoolTest checks close_all'), found, STATISTICS, {
          ...OPTIONS,
          without: new Set(without),
        }).map(({ candidate: { path }, score }) => [path, score]),
      );
    const before = scores(['priors']);
    const priorOf = (path: string): number =>
      (scores([]).get(path) ?? NaN) / (before.get(path) ?? NaN);
    expect(priorOf('tests/test_pool.py')).toBe(1);
    expect(priorOf('src/pool.py')).toBe(1);
    expect(priorOf('tests/test_other.py')).toBeCloseTo(0.3, 6);
    // The name is defined on a likelier path too.
    expect(priorOf('tests/fake.py')).toBeCloseTo(0.3, 6);
  });
});
