import { describe, expect, it } from '@jest/globals';

import { type Figure, markdown } from './report.js';

const report = (figures: readonly Figure[]) =>
  markdown({ machine: { node: '24' }, corpus: ['flask'], figures });

describe('markdown', () => {
  it('prints a row a figure, and says what was missed', () => {
    const table = report([
      { what: 'start', measured: '4 s', target: '≤ 3 s', met: false, raw: {} },
    ]);
    expect(table).toContain('| start | 4 s | ≤ 3 s | **missed** |');
  });

  it('prints figures of several side by side, with a dash where one has none', () => {
    const table = report([
      { what: 'open', subject: 'A', measured: '1 ms', target: '≤ 2 ms', met: true, raw: {} },
      { what: 'ask', subject: 'A', measured: '3 ms', raw: {} },
      { what: 'ask', subject: 'B', measured: '5 ms', raw: {} },
    ]);
    expect(table.split('\n').slice(-5)).toEqual([
      '| work | A | B |',
      '| --- | --- | --- |',
      '| open | 1 ms (≤ 2 ms: met) | – |',
      '| ask | 3 ms | 5 ms |',
      '',
    ]);
    expect(table).not.toContain('to reach');
  });
});
