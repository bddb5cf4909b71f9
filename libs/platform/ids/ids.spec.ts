import { describe, expect, it } from '@jest/globals';

import { eventId, FIRST_TENANT_ID, isUuid, uuidv5, uuidv7 } from '#platform';

describe('ids', () => {
  it('derives the same id from the same parts, always', () => {
    expect(uuidv5('tenant', 'route', 'key')).toBe('18378a15-2715-5ac0-98bb-de7747f3d5a9');
  });

  it('distinguishes parts that join to the same text', () => {
    expect(uuidv5('a', 'bc')).not.toBe(uuidv5('ab', 'c'));
    expect(uuidv5('a|1:b')).not.toBe(uuidv5('a', 'b'));
  });

  it('returns ids that sort by time', async () => {
    const earlier = uuidv7();
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect(uuidv7() > earlier).toBe(true);
  });

  it('returns ids of one millisecond that sort as they were made, and are UUIDs', () => {
    const ids = Array.from({ length: 5_000 }, () => uuidv7());
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => isUuid(id) && id[14] === '7')).toBe(true);
  });

  it('numbers the events of a command', () => {
    expect(eventId('c', 0)).not.toBe(eventId('c', 1));
    expect(isUuid(eventId('c', 0))).toBe(true);
  });

  it('recognizes a lower-case UUID', () => {
    expect(isUuid(FIRST_TENANT_ID)).toBe(true);
    expect(isUuid(FIRST_TENANT_ID.replace('5', 'g'))).toBe(false);
    expect(isUuid('0190B5E4-7B1D-7000-8000-000000000000')).toBe(false);
    expect(isUuid('')).toBe(false);
  });
});
