import { describe, expect, it } from '@jest/globals';

import { chatModelContract } from '#test/contracts/chat-model.contract';

import type { ChatRequest } from './chat-model.port.js';
import { createExtractiveChat } from './extractive-chat.js';

chatModelContract('quotes of the evidence', async () => ({
  model: createExtractiveChat(),
  active: () => 0,
  dispose: async () => undefined,
}));

describe('the extractive chat model', () => {
  async function answer(request: Partial<ChatRequest>): Promise<string> {
    const whole: ChatRequest = {
      instructions: '',
      history: [],
      question: '',
      evidence: [],
      ...request,
    };
    let text = '';
    for await (const part of createExtractiveChat().answer(whole))
      if (part.type === 'text') text += part.text;
    return text;
  }
  const passage = (content: string) => ({ path: 'a.ts', startLine: 1, content });

  it('names the place of the answer, quotes its statement and its lines, each place with its number', async () => {
    const evidence = [
      {
        ...passage('/** Evicts the oldest. */\nevict(cache) {\n  oldest(cache);\n}'),
        symbol: 'Cache.evict',
        score: 0.7,
      },
      {
        ...passage('The cache evicts by age.'),
        path: 'docs/cache.md',
        kind: 'docs' as const,
        symbol: 'Eviction',
      },
      { ...passage('function oldest(cache) {\n  return evict;\n}'), symbol: 'oldest' },
      passage('const a = 1;'),
    ];
    expect(await answer({ question: 'how does the cache evict?', evidence })).toBe(
      [
        'The likeliest place is `Cache.evict` in `a.ts:1-4` [1]:',
        '',
        '> Evicts the oldest.',
        '',
        '```',
        'evict(cache) {',
        '  oldest(cache);',
        '}',
        '```',
        '',
        '`Cache.evict` calls `oldest` in `a.ts:1-3` [3]:',
        '',
        '```',
        'function oldest(cache) {',
        '  return evict;',
        '}',
        '```',
        '',
        'See also “Eviction” in `docs/cache.md:1` [2]:',
        '',
        '> The cache evicts by age.',
        '',
        'Less likely, but worth a look:',
        '',
        '- `a.ts:1` [4]: `const a = 1;`',
        '',
      ].join('\n'),
    );
  });

  it('lists passages that cover little of the question, the places of a document with the statement of the first', async () => {
    const evidence = [
      passage('evict(cache, oldest, entry);'),
      {
        ...passage('/** Holds one entry. It is small. */\nclass Entry {}'),
        path: 'b.ts',
        symbol: 'Entry',
      },
      passage('const before = 1;\nconst entry = `[1]`;'),
      { ...passage('one entry\nmore'), path: 'b.ts', startLine: 40 },
    ];
    expect(await answer({ question: 'how does the cache evict the oldest entry?', evidence })).toBe(
      [
        'A possible place is `a.ts:1` [1]:',
        '',
        '```',
        'evict(cache, oldest, entry);',
        '```',
        '',
        'Less likely, but worth a look:',
        '',
        '- `Entry` in `b.ts:1-2` [2], `b.ts:40-41` [4]: Holds one entry.',
        '- `a.ts:1-2` [3]: "const entry = \'\\[1\\]\';"',
        '',
      ].join('\n'),
    );
  });

  it.each([
    [0.7, 'The likeliest place is'],
    [0.699, 'A possible place is'],
    [undefined, 'A possible place is'],
  ])('begins an answer with a score of %s by "%s"', async (score, words) => {
    const evidence = [{ ...passage('evict the cache'), score }];
    expect(await answer({ question: 'cache eviction', evidence })).toMatch(
      new RegExp(`^${words} `),
    );
  });

  it('cites at most five places, in the order of the evidence', async () => {
    const evidence = Array.from({ length: 7 }, (_, at) => passage(`evict cache ${at}`));
    const text = await answer({ question: 'cache eviction', evidence });
    const marks = [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
    expect(marks).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([
    ['yaml', [2, 1]],
    ['typescript', [1, 2]],
  ])(
    'cites a comment of %s and a function that explains the rare word',
    async (language, order) => {
      const evidence = [
        { ...passage('# cache eviction\ncache: on'), language },
        { ...passage('/** Runs the eviction. */\nfunction sweep() {}'), symbol: 'sweep' },
        passage('cache'),
        passage('cache'),
      ];
      const text = await answer({ question: 'cache eviction', evidence });
      const marks = [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number));
      expect(marks.slice(0, 2)).toEqual(order);
    },
  );

  it('answers a follow-up by the standalone question', async () => {
    const evidence = [passage('evict the cache')];
    expect(
      await answer({ question: 'and that?', standalone: 'cache eviction', evidence }),
    ).toContain('[1]');
  });

  it('reports evidence without a word of the question, and points to it', async () => {
    expect(await answer({ question: 'cache eviction', evidence: [passage('const a = 1;')] })).toBe(
      'Nothing that was found has a word of the question. Nearest in meaning are:\n\n- `a.ts:1` [1]: `const a = 1;`\n',
    );
  });

  it('returns nothing without evidence', async () => {
    expect(await answer({ question: 'cache eviction' })).toBe('');
  });
});
