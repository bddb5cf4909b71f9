import { describe, expect, it } from '@jest/globals';

import type { HostedRepository } from '#contracts';
import {
  addsPassages,
  checkCoverage,
  chooseEvidence,
  followActions,
  mergeObservations,
  rankRepositories,
  repositoryQueries,
  searchActions,
  termActions,
  understand,
} from '#research';
import { observation, passage } from '#test/support/research/passages';

const FLASK = 'pallets/flask';
const WERKZEUG = 'pallets/werkzeug';
const PYPROJECT = (name: string, requires = '') => ({
  path: 'pyproject.toml',
  text: `[project]\nname = "${name}"\ndependencies = [${requires}]\n`,
});
const ATTACHED = [
  { repo: FLASK, manifests: [PYPROJECT('Flask', '"werkzeug>=3.1"')] },
  { repo: WERKZEUG, manifests: [PYPROJECT('Werkzeug')] },
];
const QUESTION = 'How does create_url_adapter bind the url map?';

describe('repositoryQueries', () => {
  it('returns names first, then the words of the question, at most three times', () => {
    expect(
      repositoryQueries(understand('How does `Session.get` retry a broken connection?')),
    ).toEqual([
      'Session Session.get retry broken connection',
      'Session.get retry broken connection',
      'Session.get connection',
    ]);
  });

  it('keeps the limits of the host for any question', () => {
    const hostile = understand(`${'stars:>1 AND OR NOT user:x "a" -b '.repeat(50)}`);
    for (const query of repositoryQueries(hostile)) {
      expect(query.length).toBeLessThanOrEqual(256);
      expect(query).not.toMatch(/[:>"()]|\b(?:AND|OR|NOT)\b/);
    }
    expect(repositoryQueries(understand('how is it?'))).toEqual([]);
  });
});

describe('rankRepositories', () => {
  const found = (repo: string, more: Partial<HostedRepository> = {}): HostedRepository => ({
    repo,
    description: null,
    stars: 1,
    isArchived: false,
    isFork: false,
    sizeKib: 1,
    defaultBranch: 'main',
    ...more,
  });
  const names = (...lists: HostedRepository[][]) =>
    rankRepositories(lists, 3).map(({ repo }) => repo);

  it('merges lists by reciprocal rank, whatever the case of a name', () => {
    expect(names([found('a/a'), found('b/b')], [found('B/b'), found('c/c')])).toEqual([
      'b/b',
      'a/a',
      'c/c',
    ]);
  });

  it('ranks archived repositories and forks lower', () => {
    const list = [found('a/a', { isArchived: true }), found('b/b', { isFork: true }), found('c/c')];
    expect(names(list)).toEqual(['c/c', 'a/a', 'b/b']);
  });

  it('counts a name once in a list, and returns at most so many', () => {
    expect(names([found('a/a'), found('a/a'), found('b/b'), found('c/c'), found('d/d')])).toEqual([
      'a/a',
      'b/b',
      'c/c',
    ]);
  });
});

describe('searchActions', () => {
  it('asks the question in all repositories and in each, and looks names and paths up', () => {
    const understanding = understand('Which option of Map.bind in routing/map.py sets the host?');
    const actions = searchActions({ understanding, repositories: [FLASK, WERKZEUG], limit: 12 });
    expect(
      actions.map(({ purpose, repositories, isMultiHop }) => [
        purpose,
        repositories.length,
        isMultiHop,
      ]),
    ).toEqual([
      ['question', 2, true],
      ['question', 1, false],
      ['question', 1, false],
      ['definition', 2, false],
      ['path', 2, false],
      ['path', 2, false],
    ]);
    expect(actions[4]?.paths).toEqual(['**/routing/map.py', 'routing/map.py']);
    expect(actions[5]?.paths).toContain('**/docs/**');
  });

  it('keeps its limit, and asks nothing without a repository', () => {
    const understanding = understand('How do a_b, c_d, e_f, g_h and i_j work?');
    expect(searchActions({ understanding, repositories: [FLASK], limit: 3 })).toHaveLength(3);
    expect(searchActions({ understanding, repositories: [], limit: 3 })).toEqual([]);
  });
});

describe('followActions', () => {
  const understanding = understand(QUESTION, [FLASK, WERKZEUG]);
  const follow = (content: string, limit = 8) =>
    followActions({
      understanding,
      repositories: ATTACHED,
      observations: [
        observation([passage({ content, line: 1, symbol: 'Flask.create_url_adapter' })]),
      ],
      limit,
    });

  it('looks up the definitions of names that are imported from the other repository', () => {
    const actions = follow(
      'from werkzeug.routing import MapAdapter, Rule\nimport os\nx = MapAdapter()\nRule()',
    );
    expect(actions.filter(({ purpose }) => purpose === 'definition')).toMatchObject([
      { query: 'MapAdapter', repositories: [WERKZEUG] },
      { query: 'Rule', repositories: [WERKZEUG] },
    ]);
  });

  it('looks for the import lines of a file whose start no passage shows', () => {
    const actions = followActions({
      understanding,
      repositories: ATTACHED,
      observations: [observation([passage({ line: 40, content: 'x = 1' })])],
      limit: 8,
    });
    expect(actions).toMatchObject([
      { purpose: 'import', query: 'import werkzeug', repositories: [FLASK], paths: ['src/app.py'] },
      { purpose: 'test' },
    ]);
  });

  it('looks for callers of definitions in the repository that requires the package', () => {
    const found = passage({ repo: WERKZEUG, symbol: 'Map.bind_to_environ', content: 'def bind' });
    const actions = followActions({
      understanding,
      repositories: ATTACHED,
      observations: [observation([found])],
      limit: 8,
    });
    expect(actions).toMatchObject([
      { purpose: 'caller', query: 'bind_to_environ', repositories: [FLASK] },
      { purpose: 'test', query: 'create_url_adapter' },
    ]);
  });

  it('ends when every action was taken', () => {
    let observations = [observation([passage({ content: 'from werkzeug import Map\nMap()' })])];
    for (let turn = 0; turn < 5; turn += 1) {
      const actions = followActions({
        understanding,
        repositories: ATTACHED,
        observations,
        limit: 8,
      });
      observations = [...observations, ...actions.map((action) => ({ action, passages: [] }))];
    }
    expect(
      followActions({ understanding, repositories: ATTACHED, observations, limit: 8 }),
    ).toEqual([]);
  });

  it('follows nothing between repositories that require nothing of each other', () => {
    const repositories = [
      { repo: 'a/b', manifests: [PYPROJECT('a')] },
      { repo: FLASK, manifests: [] },
    ];
    const observations = [observation([passage({ content: 'import a' })])];
    const actions = followActions({ understanding, repositories, observations, limit: 8 });
    expect(actions.map(({ purpose }) => purpose)).toEqual(['test']);
  });
});

describe('checkCoverage', () => {
  const check = (question: string, ...passages: ReturnType<typeof passage>[]) =>
    checkCoverage({
      understanding: understand(question),
      repositories: [FLASK, WERKZEUG],
      passages,
    });

  it('lists covered and uncovered parts in the words of the question', () => {
    const { covered, uncovered, repositoriesWithout } = check(
      'Where does `Map.bind` cache adapters for tenants?',
      passage({ content: 'def bind(): adapters = cached' }),
    );
    expect(covered).toEqual(['Map.bind', 'cache', 'adapters']);
    expect(uncovered).toEqual(['tenants']);
    expect(repositoriesWithout).toEqual([WERKZEUG]);
  });

  it.each([
    ['How often does the client usually retry before it gives up?', ['client', 'retry']],
    ['Where is the timeout set, and which value is most often used?', ['timeout', 'value']],
    ['What exactly happens when a deprecated flag is used?', ['deprecated', 'flag']],
    ['Which reader parses the stream leniently or strictly?', ['reader', 'parses', 'stream']],
    ['How is a reply of the assembly family applied?', ['reply', 'assembly', 'family', 'applied']],
    ['Is `set` ever called by `Cache.get`?', ['set', 'Cache.get']],
  ])('lists only words of %s that can be evidence', (question, words) => {
    const { uncovered } = check(question);
    expect([...uncovered].sort()).toEqual([...words].sort());
  });

  it('measures the best passage: missing words weigh most', () => {
    expect(check('cache adapters', passage({ content: 'cache adapters' })).bestShare).toBe(1);
    expect(check('cache adapters', passage({ content: 'cache' })).bestShare).toBeLessThan(0.5);
    expect(check('cache adapters').bestShare).toBe(0);
  });

  it('finds different values of one name, and no differences of other names', () => {
    const one = passage({ content: 'DEFAULT_TIMEOUT = 30\nother_name = 1' });
    const other = passage({ repo: WERKZEUG, content: '  "DEFAULT_TIMEOUT": 60,\nother_name = 2' });
    const { contradictions } = check('What is the default timeout?', one, other);
    expect(
      contradictions.map(({ name, values }) => [name, values.map(({ value }) => value)]),
    ).toEqual([['DEFAULT_TIMEOUT', ['30', '60']]]);
  });
});

describe('termActions', () => {
  it('searches for uncovered parts until a round adds nothing', () => {
    const coverage = checkCoverage({
      understanding: understand('cache tenants'),
      repositories: [FLASK],
      passages: [passage({ content: 'cache' })],
    });
    const first = termActions({ coverage, repositories: [FLASK], observations: [], limit: 5 });
    expect(first.map(({ query }) => query)).toEqual(['tenants']);
    const observations = first.map((action) => ({ action, passages: [] }));
    expect(termActions({ coverage, repositories: [FLASK], observations, limit: 5 })).toEqual([]);
  });

  it('compares passages, not searches', () => {
    const before = [observation([passage()])];
    expect(addsPassages(before, [observation([passage()], 'term')])).toBe(false);
    expect(addsPassages(before, [observation([passage({ line: 9 })], 'term')])).toBe(true);
  });
});

describe('mergeObservations', () => {
  it('sums the ranks of a passage over all searches, and keeps its longest text', () => {
    const twice = passage({ line: 5, content: 'short' });
    const merged = mergeObservations([
      observation([passage(), twice]),
      observation(
        [{ ...twice, result: { ...twice.result, content: 'longer text' } }],
        'definition',
      ),
    ]);
    expect(merged.map(({ result }) => result.content)).toEqual(['longer text', 'x']);
  });
});

describe('chooseEvidence', () => {
  const many = (repo: string, count: number, score: number) =>
    Array.from({ length: count }, (_, at) =>
      passage({ repo, line: 1 + at * 10, content: 'bind the url map', score }),
    );

  it('keeps places for each repository', () => {
    const passages = mergeObservations([
      observation([...many(FLASK, 20, 0.9), ...many(WERKZEUG, 2, 0.6)]),
    ]);
    const understanding = understand(QUESTION);
    const chosen = chooseEvidence({ understanding, passages });
    expect(chosen).toHaveLength(12);
    expect(chosen.filter(({ repo }) => repo === WERKZEUG)).toHaveLength(2);
  });

  it('keeps the limit of tokens, but for the best passage', () => {
    const passages = mergeObservations([observation(many(FLASK, 20, 0.9))]);
    const understanding = understand(QUESTION);
    const limits = { passages: 12, tokens: 40 };
    expect(chooseEvidence({ understanding, passages, limits })).toHaveLength(2);
    expect(
      chooseEvidence({ understanding, passages, limits: { ...limits, tokens: 1 } }),
    ).toHaveLength(1);
  });
});
