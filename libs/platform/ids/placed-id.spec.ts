import { describe, expect, it } from '@jest/globals';
import { validate, version } from 'uuid';

import { placeOf, placedId } from './placed-id.js';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

describe('an id that tells its place', () => {
  it.each([0n, 1n, 4_095n, 4_096n, 123_456_789n, (1n << 28n) - 1n, 1n << 28n, (1n << 40n) - 1n])(
    'is a UUID of version 7 and gives place %s back',
    (place) => {
      const id = placedId(AT, place);
      expect(validate(id)).toBe(true);
      expect(version(id)).toBe(7);
      expect(id).toBe(id.toLowerCase());
      expect(placeOf(id)).toBe(place);
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(AT);
    },
  );

  it('sorts by time, then by place, and is new each time', () => {
    const ids = [placedId(AT, 7n), placedId(AT, 8n), placedId(AT + 1, 0n)];
    expect([...ids].sort()).toEqual(ids);
    expect(placedId(AT, 7n)).not.toBe(ids[0]);
  });

  it('refuses a place that does not fit', () => {
    expect(() => placedId(AT, 1n << 40n)).toThrow(RangeError);
    expect(() => placedId(AT, -1n)).toThrow(RangeError);
  });
});
