import { describe, expect, it } from '@jest/globals';

import { scoreCitedFiles } from './cited-files.js';

describe('cited files of a reference answer', () => {
  it('count once, however often they are cited', () => {
    const cited = ['harbor/tide.py', 'harbor/tide.py', 'harbor/buoy.py'];
    expect(scoreCitedFiles(['harbor/tide.py', 'harbor/mole.py'], cited)).toEqual({
      recall: 0.5,
      one: true,
      all: false,
      cited: 2,
    });
  });

  it('are all found when other files are cited too', () => {
    expect(scoreCitedFiles(['harbor/tide.py'], ['harbor/buoy.py', 'harbor/tide.py'])).toEqual({
      recall: 1,
      one: true,
      all: true,
      cited: 2,
    });
  });

  it('are not found by an answer without citations', () => {
    expect(scoreCitedFiles(['harbor/tide.py'], [])).toEqual({
      recall: 0,
      one: false,
      all: false,
      cited: 0,
    });
  });
});
