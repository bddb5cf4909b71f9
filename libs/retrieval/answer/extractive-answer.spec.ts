import { describe, expect, it } from '@jest/globals';

import { extractiveAnswer, type Passage } from '#retrieval';

const passage = (content: string, startLine?: number, more: Partial<Passage> = {}): Passage => ({
  content,
  startLine,
  ...more,
});

describe('extractiveAnswer', () => {
  it('quotes the lines that cover most of the question, with their place in the file', () => {
    const filler = Array.from(
      { length: 20 },
      (_, index) => `const filler${index} = ${index};`,
    ).join('\n');
    const content = `${filler}\nfunction parseHeader(line) {\n  return splitHeader(line);\n}`;
    expect(extractiveAnswer('how is a header parsed?', [passage(content, 100)])).toEqual([
      {
        passage: 0,
        isBrief: false,
        words: '',
        lines: ['function parseHeader(line) {', '  return splitHeader(line);', '}'],
        line: 120,
        endLine: 122,
      },
    ]);
  });

  it('gives the comment in words, and the definition before its body', () => {
    const content =
      '/** Evicts the oldest entry. */\nfunction evict() {\n  log();\n  return cache.shift();\n}';
    expect(extractiveAnswer('what does the cache evict?', [passage(content, 10)])).toMatchObject([
      {
        words: 'Evicts the oldest entry.',
        lines: ['function evict() {', '  log();', '  return cache.shift();', '}'],
        line: 10,
        endLine: 14,
      },
    ]);
  });

  it('quotes prose by the sentences that say most, in their order', () => {
    const content =
      '# Cache\n\nIt is fast. Entries are evicted by age, e.g. the oldest first.\nNothing is kept twice.\n\n- A cache has a bound.\n- Other.';
    const [quote] = extractiveAnswer('how are entries of a cache evicted?', [
      passage(content, 3, { isProse: true }),
    ]);
    expect(quote).toMatchObject({
      words: 'Entries are evicted by age, e.g. the oldest first. … A cache has a bound.',
      lines: [],
      line: 3,
      endLine: 9,
    });
  });

  it('puts what a passage calls right after it', () => {
    const passages = [
      passage('function sync() {\n  fetchTree();\n}', 1, { symbol: 'sync' }),
      passage('the sync of a tree is described here', 1, { isProse: true }),
      passage('function fetchTree() {\n  return tree; // sync\n}', 9, { symbol: 'Git.fetchTree' }),
    ];
    const quotes = extractiveAnswer('how does sync fetch the tree?', passages);
    expect(quotes.map(({ passage: at, calledBy }) => [at, calledBy])).toEqual([
      [0, undefined],
      [2, 0],
      [1, undefined],
    ]);
  });

  it('points to passages that share little with the question, last to those that share nothing', () => {
    const passages = [
      passage('const a = 1;'),
      passage('evict the cache of entries', 3),
      passage('a cache\nand more', 9),
    ];
    expect(extractiveAnswer('evict cache entries', passages)).toMatchObject([
      { passage: 1, isBrief: false },
      { passage: 2, isBrief: true, lines: ['a cache'], line: 9, endLine: 10 },
      { passage: 0, isBrief: true, lines: ['const a = 1;'] },
    ]);
  });

  it('begins with what covers most of the question, near together; of equals with the first', () => {
    const far = `cache\n${'x;\n'.repeat(20)}evict\n${'x;\n'.repeat(20)}entries`;
    const passages = [far, 'cache evict entries', 'cache evict entries'].map((text) =>
      passage(text),
    );
    expect(extractiveAnswer('evict cache entries', passages).map((quote) => quote.passage)).toEqual(
      [1, 2, 0],
    );
  });

  it('quotes a long comment by its first sentence and those that say most, with an ellipsis for the rest', () => {
    const filler =
      'Nothing of this is described here, and it goes on at some length to fill the room that there is. '.repeat(
        5,
      );
    const content = `/** Removes. ${filler}The oldest entry of the cache is evicted. */\nevict();`;
    expect(extractiveAnswer('which cache entry is evicted?', [passage(content)])).toMatchObject([
      { words: 'Removes. … The oldest entry of the cache is evicted.' },
    ]);
  });

  it.each([
    [
      'Evict so::\n\n    cache.evict()\n\nThe cache is smaller.',
      'Evict so:: … The cache is smaller.',
    ],
    ['.. code-block:: py\n\n   cache.evict()\n\nEvict the cache.', 'Evict the cache.'],
    ['> [!NOTE] The cache evicts.\n> Often.', 'The cache evicts.'],
  ])('quotes no code as prose, and says where it left something out: %j', (content, words) => {
    expect(extractiveAnswer('evict cache', [passage(content, 1, { isProse: true })])).toMatchObject(
      [{ words }],
    );
  });

  it('quotes at most as many passages as asked, in their order', () => {
    const passages = ['cache one', 'cache two', 'cache three'].map((content) => passage(content));
    expect(extractiveAnswer('cache', passages, { limit: 2 }).map((quote) => quote.passage)).toEqual(
      [0, 1],
    );
  });

  it('only points where nothing has a word of the question', () => {
    const passages = [passage('drops stale records'), passage('x y z')];
    expect(extractiveAnswer('cache eviction', passages)).toMatchObject([
      { passage: 0, isBrief: true },
      { passage: 1, isBrief: true },
    ]);
  });

  it('has nothing to say without evidence', () => {
    expect(extractiveAnswer('cache', [])).toEqual([]);
  });

  it('keeps the order of a search, also for a first passage that covers least', () => {
    const passages = ['const a = 1;', 'evict the cache of entries', 'evict'].map((content) =>
      passage(content),
    );
    const quotes = extractiveAnswer('evict cache entries', passages, { isRanked: true });
    expect(quotes.map(({ passage: at, isBrief }) => [at, isBrief])).toEqual([
      [0, false],
      [1, false],
      [2, true],
    ]);
  });

  it('quotes a function whose comment has the rarest word before configuration that has more words', () => {
    const configuration = (content: string) => passage(content, 1, { isConfiguration: true });
    const passages = [
      configuration('# seconds after which cache entries are evicted by age\nage: 5'),
      passage('the cache', 1, { isProse: true }),
      passage('/** Evicts by age. */\nfunction sweep() {}', 1, { symbol: 'sweep' }),
      configuration('# cache'),
    ];
    const options = { isRanked: true };
    const order = (question: string) =>
      extractiveAnswer(question, passages, options).map(({ passage: at }) => at);
    expect(order('which cache entries are evicted by age')).toEqual([0, 1, 2, 3]);
    expect(order('cache evicted by age')).toEqual([1, 2, 0, 3]);
  });
});
