import { describe, expect, it } from '@jest/globals';

import { isPostgresAway, isPostgresFull } from '#platform';

const failure = (message: string, code?: string) =>
  Object.assign(new Error(message), code ? { code } : {});

describe('isPostgresAway', () => {
  it.each([
    failure('connect ECONNREFUSED', 'ECONNREFUSED'),
    failure('read ECONNRESET', 'ECONNRESET'),
    failure('terminating connection due to administrator command', '57P01'),
    failure('the database system is starting up', '57P03'),
    failure('sorry, too many clients already', '53300'),
    failure('canceling statement due to statement timeout', '57014'),
    failure('canceling statement due to lock timeout', '55P03'),
    failure('timeout exceeded when trying to connect'),
    failure('Connection terminated unexpectedly'),
    failure('Query read timeout'),
    failure('Client has encountered a connection error and is not queryable'),
  ])('recognizes %s', (error) => {
    expect(isPostgresAway(error)).toBe(true);
  });

  it.each([
    failure('syntax error', '42601'),
    failure('duplicate key', '23505'),
    failure('x is not a function'),
    'text',
  ])('ignores %s', (error) => {
    expect(isPostgresAway(error)).toBe(false);
  });

  it('distinguishes a full disk', () => {
    const full = failure('could not extend file', '53100');
    expect([isPostgresAway(full), isPostgresFull(full)]).toEqual([false, true]);
  });
});
