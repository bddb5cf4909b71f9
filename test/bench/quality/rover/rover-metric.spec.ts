import { describe, expect, it } from '@jest/globals';

import { scoreSides } from './rover-metric.js';

const question = {
  places: [
    { repo: 'harbor/client', path: 'session.py', lines: [10, 20] as const },
    { repo: 'harbor/client', path: 'pool.py' },
    { repo: 'harbor/transport', path: 'connect.py', lines: [1, 9] as const },
  ],
};
const cited = (repo: string, path: string, startLine: number, endLine: number) => ({
  repo,
  path,
  startLine,
  endLine,
});

describe('scores of the sides that an answer cites', () => {
  it('counts a side by any of its places', () => {
    const places = [
      cited('harbor/client', 'pool.py', 90, 99),
      cited('harbor/transport', 'connect.py', 9, 12),
    ];
    expect(scoreSides(question, places)).toEqual({ both: true, one: true, bothFiles: true });
  });

  it('does not count other lines of the same file, and counts the file', () => {
    const places = [
      cited('harbor/client', 'session.py', 21, 30),
      cited('harbor/transport', 'connect.py', 1, 3),
    ];
    expect(scoreSides(question, places)).toEqual({ both: false, one: true, bothFiles: true });
  });

  it('does not count the same path of the other repository', () => {
    const places = [cited('harbor/transport', 'pool.py', 1, 9)];
    expect(scoreSides(question, places)).toEqual({ both: false, one: false, bothFiles: false });
  });

  it('counts nothing without citations', () => {
    expect(scoreSides(question, [])).toEqual({ both: false, one: false, bothFiles: false });
  });
});
