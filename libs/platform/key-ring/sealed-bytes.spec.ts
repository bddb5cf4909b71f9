import { describe, expect, it } from '@jest/globals';

import { bytesKey, newDataKey, openBytes, sealBytes } from '#platform';

const HEAD = Buffer.from('tenant t1, job j1');

describe('sealed bytes', () => {
  const key = bytesKey(newDataKey());

  it.each([0, 1, 512 * 1024, 1_500_000])('open to the %d sealed bytes', async (length) => {
    const plain = new Uint8Array(length).fill(7);
    const sealed = await sealBytes(key, HEAD, plain);
    expect(Buffer.from(sealed.subarray(0, HEAD.length))).toEqual(HEAD);
    expect(Buffer.compare(await openBytes(key, sealed, HEAD.length), plain)).toBe(0);
  });

  it('do not contain their plain bytes, and differ each time', async () => {
    const plain = Buffer.from('a canary in the text');
    const [one, two] = [await sealBytes(key, HEAD, plain), await sealBytes(key, HEAD, plain)];
    expect(Buffer.from(one).includes('canary')).toBe(false);
    expect(Buffer.compare(one, two)).not.toBe(0);
  });

  it('open only with their own key and head', async () => {
    const sealed = await sealBytes(key, HEAD, Buffer.from('text'));
    await expect(openBytes(bytesKey(newDataKey()), sealed, HEAD.length)).rejects.toThrow();
    const moved = Uint8Array.from(sealed);
    moved[0] = 0;
    await expect(openBytes(key, moved, HEAD.length)).rejects.toThrow();
    await expect(openBytes(key, sealed.subarray(0, HEAD.length + 8), HEAD.length)).rejects.toThrow(
      'too short',
    );
  });
});
