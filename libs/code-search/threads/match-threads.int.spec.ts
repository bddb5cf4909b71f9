import { setTimeout } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { parseQuery } from '../query/parse-query.js';
import { MatchThreads } from './match-threads.js';
import { unpackMatches } from './packed-matches.js';

describe('MatchThreads', () => {
  it('end without work, and start again with the next batch', async () => {
    const threads = new MatchThreads(2, 1);
    const linesOf = async (text: string) => {
      const answer = await threads.run('t', {
        query: parseQuery('word'),
        documents: [{ path: 'a', text: { pieces: [{ startLine: 1, content: text }] } }],
        contextLines: 0,
        maxLines: 10,
        budgetMs: 30_000,
        oneByOne: false,
        stop: new SharedArrayBuffer(4),
      });
      if (answer.kind !== 'matches') throw new Error(answer.kind);
      return unpackMatches(answer.documents).flatMap(({ lines }) =>
        lines.map((line) => line.number),
      );
    };
    expect(await Promise.all([linesOf('word'), linesOf('no\nword')])).toEqual([[1], [2]]);
    while (threads.size > 0) await setTimeout(5);
    expect(await linesOf('no\nno\nword')).toEqual([3]);
    await threads.close();
  });
});
