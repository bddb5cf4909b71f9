import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { ObjectLockServer } from '#test/support/object-lock-server';

import { S3LockedCopies } from './s3-locked-copies.js';

const UNTIL = new Date('2030-01-01T00:00:00.500Z');

describe('locked copies in S3', () => {
  const server = new ObjectLockServer();
  let copies: S3LockedCopies;

  beforeAll(async () => {
    copies = new S3LockedCopies({
      endpoint: await server.start(),
      bucket: 'audit',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    });
  });
  beforeEach(() => {
    server.support = 'locks';
    server.versions.length = 0;
  });
  afterAll(async () => {
    copies.close();
    await server.stop();
  });

  it('stores a file in compliance mode until its date', async () => {
    await copies.put('footnote/log/tenant/0000000000000012', Buffer.from('note'), UNTIL);
    expect(server.versions).toEqual([
      {
        key: 'footnote/log/tenant/0000000000000012',
        body: 'note',
        mode: 'COMPLIANCE',
        until: expect.stringContaining('2030-01-01T00:00:00'),
      },
    ]);
  });

  it('keeps an earlier file of the same key', async () => {
    await copies.put('a/12', Buffer.from('one'), UNTIL);
    await copies.put('a/12', Buffer.from('two'), UNTIL);
    expect(server.versions.map(({ body }) => body)).toEqual(['one', 'two']);
  });

  it.each(['ignores', 'refuses'] as const)('rejects a bucket that %s locks', async (support) => {
    server.support = support;
    await expect(copies.put('a/12', Buffer.from('one'), UNTIL)).rejects.toThrow(
      'The bucket audit must have Object Lock',
    );
  });
});
