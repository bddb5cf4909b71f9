import { describe, expect, it } from '@jest/globals';

import { projectedOrLogged } from './unprojected.js';

describe('a view of what may not be projected yet', () => {
  /** Returns the answers in turn. */
  const inTurn =
    (...answers: (string | null)[]) =>
    async () =>
      answers.shift() ?? null;

  it.each([
    ['the row', ['row'], [], 'row'],
    ['the log before the projection reached it', [null, 'late'], ['log'], 'log'],
    ['the row that came between the two reads', [null, 'row'], [null], 'row'],
    ['null for what is unknown', [null, null], [null], null],
  ])('is %s', async (_, rows, log, shown) => {
    expect(await projectedOrLogged(inTurn(...rows), inTurn(...log))).toBe(shown);
  });
});
