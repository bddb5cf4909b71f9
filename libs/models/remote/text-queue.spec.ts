import { describe, expect, it } from '@jest/globals';

import { TextQueue } from './text-queue.js';

describe('texts that wait for their request', () => {
  const taken = (queue: TextQueue, count: number) =>
    queue.take(count).map(({ index, text }) => `${index}${text}`);

  it('are taken in order, as many as requested each time', () => {
    const queue = new TextQueue(['a', 'b', 'c', 'd'], 100);
    expect(taken(queue, 1)).toEqual(['0a']);
    expect(taken(queue, 2)).toEqual(['1b', '2c']);
    expect(queue.isEmpty).toBe(false);
    expect(taken(queue, 9)).toEqual(['3d']);
    expect([queue.isEmpty, taken(queue, 9)]).toEqual([true, []]);
  });

  it('do not exceed the size of a request, unless one alone is longer', () => {
    const queue = new TextQueue(['aaa', 'bbb', 'cccccccccc', 'd'], 6);
    expect(taken(queue, 9)).toEqual(['0aaa', '1bbb']);
    expect(taken(queue, 9)).toEqual(['2cccccccccc']);
    expect(taken(queue, 9)).toEqual(['3d']);
  });
});
