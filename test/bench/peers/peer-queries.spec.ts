import { describe, expect, it } from '@jest/globals';

import type { SourceChunk } from '#contracts';

import { knownItemQueries } from './peer-queries.js';

const chunk = (
  id: string,
  defs: readonly string[],
  content: string,
  lines: readonly [number, number] = [1, 9],
) =>
  ({
    chunk_id: id,
    defs,
    content,
    path: `${id}.ts`,
    start_line: lines[0],
    end_line: lines[1],
  }) as unknown as SourceChunk;

const CHUNKS = [
  chunk('one', ['openDoor', 'shared'], 'the hinge turns while every visitor enters quietly'),
  chunk('two', ['shared', 'run'], 'const window = opens(); curtain follows breeze sideways'),
];

describe('knownItemQueries', () => {
  it('asks for names that one chunk alone defines, and not for short ones', () => {
    const names = knownItemQueries(CHUNKS, [], { name: 5, keywords: 0, sentence: 0 });
    expect(names.map(({ kind, text, target }) => [kind, text, target.chunkId])).toEqual([
      ['name', 'openDoor', 'one'],
    ]);
  });

  it('makes keywords and questions of words of their answer', () => {
    const [keywords, question, ...more] = knownItemQueries(CHUNKS, [], {
      name: 0,
      keywords: 1,
      sentence: 1,
    });
    expect(more).toEqual([]);
    expect([keywords?.kind, question?.kind]).toEqual(['keywords', 'question']);
    for (const word of keywords?.text.split(' ') ?? [])
      expect(keywords?.target.content).toContain(word);
    const shared =
      question?.text.split(' ').filter((word) => question.target.content.includes(word)) ?? [];
    expect(shared.length).toBeGreaterThanOrEqual(5);
  });

  it('takes sentences first, to the chunk that has their line, and leaves out those without one', () => {
    const parts = [
      chunk('a', [], 'upper', [1, 20]),
      { ...chunk('b', [], 'lower', [21, 40]), path: 'a.ts' },
    ];
    const sentences = [
      { text: 'Lowers the bridge', path: 'a.ts', line: 21 },
      { text: 'Is nowhere', path: 'a.ts', line: 99 },
      { text: 'Is in no file', path: 'c.ts', line: 1 },
    ];
    const queries = knownItemQueries(parts, sentences, { name: 0, keywords: 0, sentence: 3 });
    expect(queries.map(({ kind, text, target }) => [kind, text, target.chunkId])).toEqual([
      ['sentence', 'Lowers the bridge', 'b'],
    ]);
    expect(queries[0]?.target.fileChunkIds).toEqual(['a', 'b']);
  });

  it('gives the same for a seed, another for another, and no more than the chunks can', () => {
    const many = Array.from({ length: 40 }, (_, at) =>
      chunk(
        `c${at}`,
        [`name${at}x`],
        `alpha${'bcdefghijk'[at % 10]} river stone cloud meadow harbour lantern`,
      ),
    );
    const counts = { name: 10, keywords: 10, sentence: 10 };
    expect(knownItemQueries(many, [], counts, 3)).toEqual(knownItemQueries(many, [], counts, 3));
    expect(knownItemQueries(many, [], counts, 4)).not.toEqual(
      knownItemQueries(many, [], counts, 3),
    );
    expect(knownItemQueries(many, [], { name: 99, keywords: 30, sentence: 30 })).toHaveLength(
      40 + 40,
    );
  });
});
