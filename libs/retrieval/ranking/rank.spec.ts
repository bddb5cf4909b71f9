import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { analyseQuery } from '../analysis/analyse-query.js';
import { modelProfile } from './model-profiles.js';
import { rank } from './rank.js';
import type { RankCandidate, RankOptions, RankStep } from './rank.types.js';

const options: RankOptions = {
  profileOf: () => ({
    weights: { lexical: 0.5, semantic: 0.5 },
    similarityFloor: 0.25,
    similarityRange: { low: 0, high: 1 },
  }),
  sourceOf: () => ({ priority: 1, isRepository: true, isStale: false, syncedAt: 0 }),
};
const statistics = { chunks: 100, averageLength: 100, documentFrequencies: [10, 10] };
const query = analyseQuery('close connections');

let next = 0;
type Fields = Partial<RankCandidate> & { readonly defs?: readonly string[] };
function candidate({ defs = [], ...fields }: Fields = {}): RankCandidate {
  next++;
  return {
    chunkId: `chunk-${next}`,
    sourceId: 'source',
    path: `src/file-${next}.ts`,
    defines: (name) => defs.includes(name),
    chunkType: 'code',
    startLine: 1,
    endLine: 9,
    contentHash: `hash-${next}`,
    termFrequencies: [1, 0],
    length: 100,
    cosine: 0.3,
    cosineModel: 'model',
    ...fields,
  };
}
const paths = (candidates: RankCandidate[], text = query, with_ = options): string[] =>
  rank(text, candidates, statistics, with_).map((entry) => entry.candidate.path);

describe('rank', () => {
  it('adds the legs by weight, each absolute', () => {
    const [only] = rank(
      query,
      [candidate({ path: 'x', termFrequencies: [1, 1] })],
      statistics,
      options,
    );
    expect(only?.legs.lexical).toBeCloseTo(1 / 2.2, 6);
    expect(only?.legs.semantic).toBe(0.3);
    // .5 × 1/2.2 + .5 × .3 = .3773; the only file has all the evidence: + (1 − s) × .4 × s.
    expect(only?.score).toBeCloseTo(0.37727 + (1 - 0.37727) * 0.4 * 0.37727, 4);
  });

  it('scores a candidate alike whatever else is found, but for coherence', () => {
    const one = candidate({ cosine: 0.6 });
    const alone = rank(query, [one], statistics, options)[0];
    const beside = rank(query, [one, candidate({ cosine: 0.1 })], statistics, options)[0];
    expect(beside?.score).toBe(alone?.score);
  });

  it('scores the legs alike for all filters; coherence moves the rest within its bound', () => {
    const one = candidate({ cosine: 0.6 });
    const strong = [1, 2, 3].map((at) =>
      candidate({ path: 'strong.ts', cosine: 0.7, startLine: at * 20, endLine: at * 20 + 9 }),
    );
    const scoreOf = (candidates: RankCandidate[], without: RankOptions['without'] = new Set()) =>
      rank(query, candidates, statistics, { ...options, without }).find(
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
      rank(query, strong, statistics, { ...options, without: new Set(['coherence']) })[0]?.score ??
      NaN;
    for (const found of [alone, beside]) {
      expect(found?.score).toBeGreaterThanOrEqual(plain);
      expect(found?.score).toBeLessThanOrEqual(plain + 0.4 * (1 - plain) * best);
    }
  });

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
      expect(paths(files, analyseQuery(text))[0]).toBe('tests/Conftest.py');
    }
    for (const text of ['test.py', 'conftest', 'where is conftest.py', 'other/conftest.py']) {
      expect(paths(files, analyseQuery(text))[0]).not.toBe('tests/Conftest.py');
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
            analyseQuery(text),
            fields.map((each) => candidate(each)),
            statistics,
            options,
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
    const forward = rank(query, candidates, statistics, options);
    expect(rank(query, [...candidates].reverse(), statistics, options)).toEqual(forward);
  });

  it('puts the definition of an identifier first, above mere mentions', () => {
    const mention = candidate({ path: 'a.ts', termFrequencies: [20, 0], cosine: 0.6 });
    const definition = candidate({ path: 'b.ts', defs: ['closeAll'] });
    const own = candidate({ path: 'close_all.ts', defs: ['closeAll'] });
    expect(paths([mention, definition, own], analyseQuery('closeAll'))).toEqual([
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
    const ask = analyseQuery('how a functor maps values');
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
    const ask = analyseQuery('input validation');
    const found = [
      candidate({ path: 'src/Session.java' }),
      candidate({ path: 'src/Validator.java' }),
    ];
    expect(paths(found, ask)[0]).toBe('src/Validator.java');
  });

  it('lifts the definition of a capitalised word, unless most chunks speak of it', () => {
    const ask = analyseQuery('how a Functor maps');
    const found = [
      candidate({ path: 'a.scala', cosine: 0.5, length: 90 }),
      candidate({ path: 'b.scala', cosine: 0.4, defs: ['Functor'] }),
    ];
    const first = (documentFrequency: number): string | undefined => {
      const known = { ...statistics, documentFrequencies: [documentFrequency, 10] };
      return rank(ask, found, known, options)[0]?.candidate.path;
    };
    expect(ask.terms[0]).toBe('functor');
    expect([first(10), first(50), first(51)]).toEqual(['b.scala', 'b.scala', 'a.scala']);
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
          ? analyseQuery('what happens to open connections while servers close slowly')
          : query;
      const scores = (without: readonly (typeof step)[]): number[] =>
        rank(asked, same, statistics, { ...options, without: new Set(without) }).map(
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
    expect(paths([notes, guide()], analyseQuery('CHANGES.rst'))[0]).toBe('CHANGES.rst');
    const pages = {
      ...options,
      sourceOf: () => ({ ...options.sourceOf('x'), isRepository: false }),
    };
    expect(paths([notes, guide()], query, pages)[0]).toBe('CHANGES.rst');
  });

  it('applies the priors of tests and examples to code of repositories alone', () => {
    const docs = candidate({ path: 'docs/pool.md', chunkType: 'docs', cosine: 0.5 });
    expect(paths([docs, candidate({ path: 'src/pool.ts', cosine: 0.4 })])[0]).toBe('docs/pool.md');
  });

  it('shows the two best chunks of a file that is the answer, and makes room for others after them', () => {
    const same = [0.9, 0.89, 0.88].map((cosine, i) =>
      candidate({ path: 'a.ts', cosine, startLine: i * 20 + 1, endLine: i * 20 + 9 }),
    );
    const other = candidate({ path: 'b.ts', cosine: 0.5 });
    expect(paths([...same, other])).toEqual(['a.ts', 'a.ts', 'b.ts', 'a.ts']);
    const near = candidate({ path: 'b.ts', cosine: 0.85 });
    expect(paths([...same, near])).toEqual(['a.ts', 'b.ts', 'a.ts', 'a.ts']);
  });

  it('lets four chunks of a file speak for it, so that a long file does not win by its length', () => {
    const file = (path: string, count: number, cosine: number): RankCandidate[] =>
      Array.from({ length: count }, (_, i) =>
        candidate({ path, cosine, startLine: i * 20 + 1, endLine: i * 20 + 9 }),
      );
    expect(paths([...file('long.ts', 12, 0.6), ...file('right.ts', 4, 0.62)])[0]).toBe('right.ts');
    expect(paths([...file('single.ts', 1, 0.62), ...file('right.ts', 4, 0.6)])[0]).toBe('right.ts');
  });

  it('reads the words of a path in a short query as a name, in a sentence as words among others', () => {
    const found = () => [
      candidate({ path: 'src/retry/backoff.ts', cosine: 0.3 }),
      candidate({ path: 'src/x.ts', cosine: 0.5 }),
    ];
    expect(paths(found(), analyseQuery('retry backoff'))[0]).toBe('src/retry/backoff.ts');
    const sentence =
      'after how many seconds another attempt follows a broken call, and is there some backoff';
    expect(paths(found(), analyseQuery(sentence))[0]).toBe('src/x.ts');
    expect(paths(found(), analyseQuery(sentence.replace('after', 'After')))[0]).toBe('src/x.ts');
  });

  it('lifts the file whose chunks have most of a sentence between them, rare terms above all; a query of a few words does not ask so', () => {
    const sentence = analyseQuery('broken call waits longer before another attempt');
    const asked = {
      ...statistics,
      documentFrequencies: [2, ...sentence.terms.slice(1).map(() => 50)],
    };
    const has = (...terms: number[]) => sentence.terms.map((_, at) => (terms.includes(at) ? 1 : 0));
    const chunk = (path: string, startLine: number, terms: number[], cosine = 0.3) =>
      candidate({
        path,
        startLine,
        endLine: startLine + 9,
        termFrequencies: has(...terms),
        cosine,
      });
    const first = (found: readonly RankCandidate[], without: readonly RankStep[] = []) =>
      rank(sentence, found, asked, { ...options, without: new Set(without) })[0]?.candidate.path;
    const between = [chunk('a.ts', 1, [1, 2]), chunk('a.ts', 20, [3, 4])];
    const again = [chunk('b.ts', 1, [1, 2], 0.31), chunk('b.ts', 20, [1, 2], 0.31)];
    expect([first([...again, ...between]), first([...again, ...between], ['coverage'])]).toEqual([
      'a.ts',
      'b.ts',
    ]);
    // The one rare term is worth more than one that half of the chunks have.
    const one = [chunk('common.ts', 1, [1], 0.5), chunk('rare.ts', 1, [0])];
    expect([first(one), first(one, ['coverage'])]).toEqual(['rare.ts', 'common.ts']);
    const scoreOf = (step: 'coverage' | 'saturation') =>
      rank(query, [candidate({ path: 'a.ts', termFrequencies: [1, 1] })], statistics, {
        ...options,
        without: new Set([step]),
      })[0]?.score;
    expect(scoreOf('coverage')).toBe(scoreOf('saturation'));
  });

  it('lifts a chunk by its path by three times its own evidence at most', () => {
    const [only] = rank(
      analyseQuery('retry backoff'),
      [candidate({ path: 'retry/backoff.ts', termFrequencies: [0, 0], cosine: 0.3 })],
      statistics,
      { ...options, without: new Set(['coherence']) },
    );
    expect(only?.score).toBeCloseTo(0.15 + 3 * 0.15, 6);
  });

  it('collapses equal content and overlapping lines of a file', () => {
    const ranked = paths([
      candidate({ path: 'a.ts', contentHash: 'same', cosine: 0.9 }),
      candidate({ path: 'copy/a.ts', contentHash: 'same', cosine: 0.8 }),
      candidate({ path: 'a.ts', startLine: 9, endLine: 20, cosine: 0.7 }),
      candidate({ path: 'a.ts', startLine: 10, endLine: 20, cosine: 0.6 }),
    ]);
    expect(ranked).toEqual(['a.ts', 'a.ts']);
  });

  it.each([
    [
      'the one whose source is not stale',
      { isStale: true, priority: 2 },
      { isStale: false, priority: 1 },
    ],
    [
      'the one synced on a later day',
      { syncedAt: 1, priority: 2 },
      { syncedAt: 86_400_000, priority: 1 },
    ],
    [
      'of one day the one of higher priority',
      { syncedAt: 9, priority: 1 },
      { syncedAt: 1, priority: 2 },
    ],
  ])('shows of equal content in two sources %s, whichever id is smaller', (_, worse, better) => {
    const sourceOf = (id: string) => ({
      ...options.sourceOf(id),
      ...(id === 'worse' ? worse : better),
    });
    const copy = (sourceId: string) =>
      candidate({ sourceId, path: `${sourceId}.ts`, contentHash: 'copied' });
    const other = candidate({ path: 'other.ts', cosine: 0.9 });
    for (const copies of [
      [copy('worse'), copy('better')],
      [copy('better'), copy('worse')],
    ]) {
      const found = paths([other, ...copies], query, { ...options, sourceOf });
      expect(found.toSorted()).toEqual(['better.ts', 'other.ts']);
    }
  });

  it('shows another copy of content where lines of the best one are shown already', () => {
    const sourceOf = (id: string) => ({ ...options.sourceOf(id), isStale: id === 'stale' });
    const found = rank(
      query,
      [
        candidate({ path: 'a.ts', cosine: 0.9, startLine: 1, endLine: 9 }),
        candidate({ path: 'a.ts', cosine: 0.5, startLine: 5, endLine: 12, contentHash: 'copied' }),
        candidate({ sourceId: 'stale', path: 'b.ts', cosine: 0.5, contentHash: 'copied' }),
      ],
      statistics,
      { ...options, sourceOf },
    );
    expect(found.map(({ candidate: { path } }) => path)).toEqual(['a.ts', 'b.ts']);
  });

  it('takes nothing from the likeliest definition of a name that only tests or examples have', () => {
    const named = analyseQuery('closeConnections');
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
      rank(named, candidates, statistics, options).find(({ candidate }) => candidate.path === path)
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
      expect(paths([definition, unnamed], analyseQuery(text))).toEqual(['tests/t.py']);
    }
  });

  it('multiplies by the source priority; 0 removes the source', () => {
    const sourceOf = (id: string) => ({ ...options.sourceOf(id), priority: id === 'off' ? 0 : 2 });
    const candidates = [
      candidate({ sourceId: 'off', cosine: 0.9 }),
      candidate({ sourceId: 'on', cosine: 0.9, termFrequencies: [9, 9] }),
    ];
    const ranked = rank(query, candidates, statistics, { ...options, sourceOf });
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
    const ranked = rank(query, found, statistics, {
      ...options,
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

  describe('of operations', () => {
    const operation = (endpointKey: string, symbol: string, fields: Fields = {}): RankCandidate =>
      candidate({
        path: `api.json#/${endpointKey}`,
        chunkType: 'openapi',
        endpointKey,
        symbol,
        startLine: undefined,
        endLine: undefined,
        termFrequencies: [1, 1],
        ...fields,
      });
    const symbols = (candidates: RankCandidate[], text: string): (string | undefined)[] =>
      rank(analyseQuery(text), candidates, statistics, options).map(
        (entry) => entry.candidate.symbol,
      );

    it('puts first what the query spells out, however much others say of it', () => {
      const asked = operation('GET /users/{id}', 'getUser', {
        defs: ['getUser', 'GET /users/{}'],
        termFrequencies: [1, 0],
      });
      const other = operation('GET /users/{id}/keys', 'listKeys', {
        termFrequencies: [9, 9],
        cosine: 0.5,
      });
      expect(symbols([other, asked], 'get /users/:id')[0]).toBe('getUser');
      expect(symbols([other, asked], 'users keys')[0]).toBe('listKeys');
    });

    it('takes a method for the verbs that people use, and the name that says nothing else for the closest', () => {
      const create = operation('POST /v1/customers', 'PostCustomers');
      const taxes = operation(
        'POST /v1/customers/{customer}/tax_ids',
        'PostCustomersCustomerTaxIds',
      );
      const list = operation('GET /v1/customers', 'GetCustomers');
      expect(symbols([taxes, list, create], 'create a customer')[0]).toBe('PostCustomers');
      const update = operation('POST /v1/customers/{customer}', 'PostCustomersCustomer');
      expect(symbols([update, create], 'create a customer')[0]).toBe('PostCustomers');
      expect(symbols([create, update], 'update a customer')[0]).toBe('PostCustomersCustomer');
      expect(symbols([taxes, create, list], 'list customers')[0]).toBe('GetCustomers');
      expect(symbols([create, list, taxes], 'add customer tax')[0]).toBe(
        'PostCustomersCustomerTaxIds',
      );
    });

    it('puts operations before the schemas that explain them, unless a schema is asked for by its name', () => {
      const make = operation('POST /issues', 'issues/create');
      const schema = {
        ...operation('', 'Issue', { defs: ['Issue'], cosine: 0.4 }),
        endpointKey: undefined,
      };
      expect(symbols([schema, make], 'parts of an issue')).toEqual(['issues/create', 'Issue']);
      expect(symbols([make, schema], 'Issue')[0]).toBe('Issue');
    });

    it('keeps two of the same words whose schemas differ somewhere else', () => {
      const same = { contentHash: 'same', termFrequencies: [1, 1] };
      const one = operation('GET /a', 'getA', { ...same, schemaHash: 'one' });
      const copy = operation('GET /a', 'getA', { ...same, schemaHash: 'one', sourceId: 'copy' });
      const other = operation('GET /a', 'getA', {
        ...same,
        schemaHash: 'other',
        sourceId: 'other',
      });
      expect(symbols([one, copy, other], 'close connections')).toHaveLength(2);
    });
  });
});
