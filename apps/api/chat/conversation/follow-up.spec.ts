import { describe, expect, it } from '@jest/globals';

import { standAlone } from './follow-up.js';

const BEFORE = 'How does the request cache evict entries?';
const leaning: readonly (readonly [string, string, string])[] = [
  ['refers to something', 'Who calls it?', 'Who calls it? request cache evict entries'],
  ['has few words', 'And when?', 'And when? request cache evict entries'],
  [
    'names some of it',
    'When are those entries written?',
    'When are those entries written? request cache evict',
  ],
  ['is in another language', 'Und wann?', 'Und wann? request cache evict entries'],
  ['goes on', 'What about the disk?', 'What about the disk? request cache evict entries'],
  [
    'asks for more of the same',
    'Where is that tested?',
    'Where is that tested? request cache evict entries',
  ],
  [
    'says much, but of something',
    'Which thread of the pool does it run in while others wait?',
    'Which thread of the pool does it run in while others wait? request cache evict entries',
  ],
];
const perhaps: readonly (readonly [string, string])[] = [
  ['What is the default size?', 'What is the default size? request cache'],
  ['How much may a hotel cost?', 'How much may a hotel cost? request cache evict'],
  ['Is there a limit for uploads?', 'Is there a limit for uploads? request cache'],
];
const whole = [
  'Where does Session open a database connection?',
  'Where is the code that parses headers of HTTP requests?',
  'If a job fails, which stage runs then on another machine?',
];

describe('a follow-up question without a model', () => {
  it.each(leaning)('that %s takes what it lacks', (_, question, words) =>
    expect(standAlone(question, BEFORE)).toEqual({ words, asAskedFirst: false }),
  );

  it.each(perhaps)(
    'that is merely short may begin something new, and takes no more than it has: %s',
    (question, words) =>
      expect(standAlone(question, BEFORE)).toEqual({ words, asAskedFirst: true }),
  );

  it.each(whole)('that says enough is left as it is: %s', (question) =>
    expect(standAlone(question, BEFORE)).toEqual({ words: question, asAskedFirst: false }),
  );

  it('takes over a bounded number of words, those of the latest questions', () => {
    let words = Array.from({ length: 40 }, (_, at) => `term${at}`).join(' ');
    for (let turn = 0; turn < 5; turn += 1) ({ words } = standAlone('why so?', words));
    expect(words).toBe('why so? term0 term1 term2 term3 term4 term5');
    for (const question of ['What about sessions?', 'And their cookies?'])
      ({ words } = standAlone(question, words));
    expect(words).toBe('And their cookies? sessions term0 term1 term2 term3 term4');
  });
});
