import { describe, expect, it } from '@jest/globals';

import { MAX_BUCKETS, TimeBuckets } from './time-buckets.js';

const NOW = new Date('2026-02-04T10:30:00.000Z');

describe('TimeBuckets', () => {
  it.each([
    [
      'hour',
      '2026-02-04T08:59:59.999Z',
      ['2026-02-04T08:00', '2026-02-04T09:00', '2026-02-04T10:00'],
    ],
    ['day', '2026-02-03T00:00:00.000Z', ['2026-02-03T00:00', '2026-02-04T00:00']],
    [
      'week',
      '2026-01-25T23:00:00.000Z',
      ['2026-01-19T00:00', '2026-01-26T00:00', '2026-02-02T00:00'],
    ],
  ] as const)('cuts a period into buckets of a %s in UTC', (bucket, from, starts) => {
    const buckets = TimeBuckets.of({ from, bucket }, NOW);
    const rows = buckets.rows(() => ({ count: 0 }));
    expect(rows.map(({ start }) => start.slice(0, 16))).toEqual(starts);
    expect(buckets.indexOf(from)).toBe(0);
    expect(buckets.indexOf(buckets.to)).toBe(starts.length - 1);
    for (const [at, { start }] of rows.entries()) expect(buckets.indexOf(start)).toBe(at);
  });

  it('covers 30 days before its end by default', () => {
    expect(TimeBuckets.of({ bucket: 'day' }, NOW)).toMatchObject({
      count: 31,
      from: '2026-01-05T10:30:00.000Z',
      to: NOW.toISOString(),
    });
  });

  it('rejects a reversed period and more than 1,000 buckets', () => {
    const later = { from: '2026-02-04T10:30:00.001Z', bucket: 'day' } as const;
    expect(() => TimeBuckets.of(later, NOW)).toThrow(/from/);
    const most = new Date(NOW.getTime() - (MAX_BUCKETS - 1) * 3_600_000).toISOString();
    expect(TimeBuckets.of({ from: most, bucket: 'hour' }, NOW).count).toBe(MAX_BUCKETS);
    const more = new Date(NOW.getTime() - MAX_BUCKETS * 3_600_000).toISOString();
    expect(() => TimeBuckets.of({ from: more, bucket: 'hour' }, NOW)).toThrow(/from/);
  });
});
