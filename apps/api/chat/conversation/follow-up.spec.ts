import { describe, expect, it } from '@jest/globals';

import { standAlone } from './follow-up.js';

const BEFORE = 'How does the request cache evict entries?';
const cases: readonly (readonly [string, string, string])[] = [
  ['refers to something', 'Who calls it?', 'Who calls it? request cache evict entries'],
  ['is short', 'And when?', 'And when? request cache evict entries'],
  ['names some of it', 'When are those entries written?', 'When are those entries written? request cache evict'],
  ['is in another language', 'Und wann?', 'Und wann? request cache evict entries'],
  ['stands alone', 'Where does Session open a database connection?', 'Where does Session open a database connection?'],
];

describe('a follow-up question without a model', () => {
  it.each(cases)('that %s', (_, question, alone) => expect(standAlone(question, BEFORE)).toBe(alone));

  it('takes over a bounded number of words, through however many turns', () => {
    let alone = Array.from({ length: 40 }, (_, at) => `term${at}`).join(' ');
    for (let turn = 0; turn < 5; turn += 1) alone = standAlone('why so?', alone);
    expect(alone.split(' ').length).toBeLessThanOrEqual(2 + 12);
  });
});
