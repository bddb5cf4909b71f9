import { describe, expect, it } from '@jest/globals';
import { validate, version } from 'uuid';

import { revisionId, revisionOf } from './revision-id.js';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 678);

describe('an id that contains its revision', () => {
  it.each([0n, 1n, 4_095n, 4_096n, 123_456_789n, (1n << 28n) - 1n, 1n << 28n, (1n << 40n) - 1n])(
    'is a UUID of version 7 and returns revision %s',
    (revision) => {
      const id = revisionId(AT, revision);
      expect(validate(id)).toBe(true);
      expect(version(id)).toBe(7);
      expect(id).toBe(id.toLowerCase());
      expect(revisionOf(id)).toBe(revision);
      expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(AT);
    },
  );

  it('sorts by time, then by revision, and is always new', () => {
    const ids = [revisionId(AT, 7n), revisionId(AT, 8n), revisionId(AT + 1, 0n)];
    expect([...ids].sort()).toEqual(ids);
    expect(revisionId(AT, 7n)).not.toBe(ids[0]);
  });

  it('rejects a revision that does not fit', () => {
    expect(() => revisionId(AT, 1n << 40n)).toThrow(RangeError);
    expect(() => revisionId(AT, -1n)).toThrow(RangeError);
  });
});
