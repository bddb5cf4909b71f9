import { describe, expect, it } from '@jest/globals';

import { scoreCitedFiles } from './cited-files.js';

describe('cited files of a reference answer', () => {
  it('count once, however often they are cited', () => {
    const cited = ['harbor/tide.py', 'harbor/tide.py', 'harbor/buoy.py'];
    expect(scoreCitedFiles(['harbor/tide.py', 'harbor/mole.py'], cited)).toEqual({
      recall: 0.5,
      firstFive: 0.5,
      one: true,
      all: false,
      cited: 2,
    });
  });

  it('are all found when other files are cited too', () => {
    expect(scoreCitedFiles(['harbor/tide.py'], ['harbor/buoy.py', 'harbor/tide.py'])).toEqual({
      recall: 1,
      firstFive: 1,
      one: true,
      all: true,
      cited: 2,
    });
  });

  it('are not found by an answer without citations', () => {
    expect(scoreCitedFiles(['harbor/tide.py'], [])).toEqual({
      recall: 0,
      firstFive: 0,
      one: false,
      all: false,
      cited: 0,
    });
  });

  it('are found by the first five citations only if one of these has them', () => {
    const others = ['a.py', 'a.py', 'b.py', 'c.py'];
    const fifth = scoreCitedFiles(['harbor/tide.py'], [...others, 'harbor/tide.py']);
    const sixth = scoreCitedFiles(['harbor/tide.py'], [...others, 'd.py', 'harbor/tide.py']);
    expect([fifth.firstFive, sixth.firstFive, sixth.recall]).toEqual([1, 0, 1]);
  });
});
