import { describe, expect, it } from '@jest/globals';

import { apiKeyDigest, describeApiKey, newApiKeySecret } from '#platform';

describe('API key secrets', () => {
  it('have one length, only letters and digits, and never repeat', () => {
    const secrets = Array.from({ length: 200 }, () => newApiKeySecret().secret);
    for (const secret of secrets) expect(secret).toMatch(/^fnt_[0-9A-Za-z]{43}$/);
    expect(new Set(secrets).size).toBe(200);
  });

  it('are stored only as digest and prefix', () => {
    expect(describeApiKey('fnt_abcdefghijklmnop')).toEqual({
      secret: 'fnt_abcdefghijklmnop',
      prefix: 'fnt_abcdefgh',
      digest: apiKeyDigest('fnt_abcdefghijklmnop'),
    });
    expect(apiKeyDigest('x')).toBe(
      '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881',
    );
  });
});
