import { describe, expect, it } from '@jest/globals';

import type { LogRow } from './log-protocol.js';
import { LogTail, passes } from './log-tail.js';

const row = (position: number, type = 'QuotaConsumed', stream = 'quota-1', text = ''): LogRow => ({
  id: `id-${position}`,
  type,
  stream,
  revision: position,
  position,
  recordedAt: 1_000 + position,
  data: JSON.stringify({ text, inner: { list: [1] } }),
  metadata: JSON.stringify({ tenant_id: 't' }),
});
const all = passes();

describe('the tail of the log', () => {
  const tailOf = (rows: readonly LogRow[], bounds?: { events: number; bytes: number }): LogTail => {
    const tail = new LogTail((rows[0]?.position ?? 1) - 1, bounds);
    for (const each of rows) tail.add(each);
    return tail;
  };
  const positions = (tail: LogTail, after: number, wanted = all, limit = 100) => {
    const page = tail.page(after, wanted, limit);
    return page && [page.events.map(({ position }) => position), page.considered, page.atHead];
  };

  it('returns events after a position, by type and by category, page by page', () => {
    const tail = tailOf([
      row(4, 'JobRequested', 'job-1'),
      row(5),
      row(6, 'JobCompleted', 'job-1'),
      row(7),
    ]);
    expect(positions(tail, 3)).toEqual([[4, 5, 6, 7], 7, true]);
    expect(positions(tail, 3, all, 2)).toEqual([[4, 5], 5, false]);
    expect(positions(tail, 5, passes({ types: ['JobRequested', 'JobCompleted'] }))).toEqual([
      [6],
      7,
      true,
    ]);
    expect(
      positions(tail, 3, passes({ categories: ['job'], types: ['JobRequested', 'QuotaConsumed'] })),
    ).toEqual([[4], 7, true]);
    expect(positions(tail, 7)).toEqual([[], 7, true]);
  });

  it('returns null to readers that are further behind', () => {
    expect(positions(tailOf([row(4)]), 2)).toBeNull();
    expect(positions(new LogTail(9), 8)).toBeNull();
    expect(positions(new LogTail(9), 9)).toEqual([[], 9, true]);
  });

  it('keeps no more events than its bound, and removes the oldest', () => {
    const tail = tailOf(
      Array.from({ length: 50 }, (_, i) => row(i + 1)),
      { events: 10, bytes: 1e9 },
    );
    expect(tail.size.events).toBe(10);
    expect(positions(tail, 39)).toBeNull();
    expect(positions(tail, 40)).toEqual([[41, 42, 43, 44, 45, 46, 47, 48, 49, 50], 50, true]);
  });

  it('keeps no more bytes than its bound, whatever the size of an event', () => {
    const bytes = 50_000;
    const tail = new LogTail(0, { events: 1_000, bytes });
    for (let position = 1; position <= 200; position += 1) {
      tail.add(row(position, 'QuotaConsumed', 'quota-1', 'x'.repeat((position * 997) % 9_000)));
      expect(tail.size.bytes).toBeLessThanOrEqual(bytes);
    }
    expect(tail.size.events).toBeGreaterThan(0);
    tail.add(row(201, 'QuotaConsumed', 'quota-1', 'x'.repeat(bytes)));
    expect(tail.size).toEqual({ events: 0, bytes: 0 });
    expect(positions(tail, 200)).toBeNull();
    expect(positions(tail, 201)).toEqual([[], 201, true]);
  });

  it('has no gap: it rejects one, and discards events before unknown ones', () => {
    const tail = tailOf([row(1), row(2)]);
    for (const position of [2, 4]) expect(() => tail.add(row(position))).toThrow(RangeError);
    tail.skipTo(8);
    expect(positions(tail, 2)).toBeNull();
    expect(tail.size).toEqual({ events: 0, bytes: 0 });
    tail.add(row(9));
    expect(positions(tail, 8)).toEqual([[9], 9, true]);
  });

  it('decodes an event once for all readers, and no reader can change it', () => {
    const tail = tailOf([row(1)]);
    const read = () => tail.page(0, all, 1)?.events[0]?.event;
    const event = read();
    expect(read()).toBe(event);
    expect(event).toMatchObject({
      data: { text: '', inner: { list: [1] } },
      revision: 1n,
      recordedAt: new Date(1_001),
    });
    const inner = event?.data['inner'] as { list: number[] };
    expect(() => inner.list.push(2)).toThrow(TypeError);
    expect(() => Object.assign(event?.metadata ?? {}, { tenant_id: 'other' })).toThrow(TypeError);
  });
});
