import { describe, expect, it } from '@jest/globals';

import { CurrentDocument } from './document-watch.js';
import { partTurn } from './part-turn.js';

describe('a turn over the documents of a part', () => {
  it('ends after the document at which its time is over, and shows its progress until then', async () => {
    let time = 0;
    const current = new CurrentDocument();
    const seen: (number | null)[] = [];
    const options = { current, turnMs: 10, now: () => time };
    const work = (cost: number) => {
      seen.push(current.document);
      time += cost;
    };
    expect(await partTurn([4, 4, 4, 4], {}, options, work)).toBe(3);
    expect(await partTurn([4, 4, 4, 4], { from: 3 }, options, work)).toBeNull();
    expect([...seen, current.document]).toEqual([0, 1, 2, 3, null]);
  });

  it('carries out one document, however long it takes', async () => {
    let time = 0;
    const options = { current: new CurrentDocument(), turnMs: 10, now: () => time };
    const work = (cost: number) => void (time += cost);
    expect(await partTurn([99, 99], {}, options, work)).toBe(1);
    expect(await partTurn([99, 99], { from: 1 }, options, work)).toBeNull();
  });
});
