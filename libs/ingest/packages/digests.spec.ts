import { describe, expect, it } from '@jest/globals';

import { hexDigest, integrityDigest } from './digests.js';

const base64 = (bytes: number) => Buffer.alloc(bytes, 1).toString('base64');

describe('the digests of an archive', () => {
  it.each([
    [`sha512-${base64(64)}`, 'sha512'],
    [`sha1-${base64(20)} sha512-${base64(64)}?opt`, 'sha512'],
    [`sha1-${base64(20)} sha256-${base64(32)}`, 'sha256'],
    [`sha1-${base64(20)}`, 'sha1'],
    [`sha512-${base64(20)} sha1-${base64(20)}`, 'sha1'],
    [`md5-${base64(16)}`, undefined],
    ['', undefined],
    [undefined, undefined],
  ])('are the strongest of %s', (integrity, algorithm) => {
    expect(integrityDigest(integrity)?.algorithm).toBe(algorithm);
  });

  it('have the length of their kind', () => {
    expect(hexDigest('sha256', 'AB'.repeat(32))).toEqual({
      algorithm: 'sha256',
      hex: 'ab'.repeat(32),
    });
    for (const text of ['ab'.repeat(31), 'xy'.repeat(32), '', 7])
      expect(hexDigest('sha256', text)).toBeNull();
  });
});
