import { describe, expect, it } from '@jest/globals';

import { BatchLoader } from './batch-loader.js';

describe('questions that are asked together', () => {
  const asked: string[] = [];
  const together = (
    query = (_: string, keys: readonly number[]) => Promise.resolve(keys.map((key) => key * 2)),
  ) =>
    new BatchLoader<number, number>(
      (group, keys) => {
        asked.push(`${group}: ${keys.join(' ')}`);
        return query(group, keys);
      },
      { pauseMs: 5, most: 4 },
    );

  it('are few queries, each of one group, with an answer for everybody', async () => {
    asked.length = 0;
    const questions = together();
    const answers = await Promise.all([1, 2, 3, 4, 5, 6].map((key) => questions.ask('a', key)));
    expect(answers).toEqual([2, 4, 6, 8, 10, 12]);
    expect(asked).toEqual(['a: 1', 'a: 2 3 4 5', 'a: 6']);
    expect(await Promise.all([questions.ask('b', 1), questions.ask('a', 7)])).toEqual([2, 14]);
    expect(asked.slice(3).sort()).toEqual(['a: 7', 'b: 1']);
  });

  it('fail with their query, and the next ones are asked all the same', async () => {
    let away = true;
    const questions = together((_, keys) =>
      away ? Promise.reject(new Error('away')) : Promise.resolve([...keys]),
    );
    await expect(questions.ask('a', 1)).rejects.toThrow('away');
    away = false;
    expect(await questions.ask('a', 2)).toBe(2);
  });
});
