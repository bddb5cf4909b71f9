import { describe, expect, it } from '@jest/globals';

import { redactUrls, redactUrlsIn, secretOfUrl } from './redact-urls.js';

const CANARY = 'q7Zr2-canary-9Kd';

describe('redactUrls', () => {
  it.each([
    [
      'a token',
      `https://a.example/b.pdf?token=${CANARY}`,
      'https://a.example/b.pdf?token=redacted',
    ],
    [
      'a later parameter',
      `https://a.example/?a=1&api_key=${CANARY}&b=2`,
      'https://a.example/?a=1&api_key=redacted&b=2',
    ],
    [
      'a name in percent codes',
      `https://a.example/?%74oken=${CANARY}`,
      'https://a.example/?%74oken=redacted',
    ],
    [
      'a name of an array',
      `https://a.example/?token[]=${CANARY}`,
      'https://a.example/?token[]=redacted',
    ],
    [
      'a signature of AWS',
      `https://a.example/?X-Amz-Signature=${CANARY}`,
      'https://a.example/?X-Amz-Signature=redacted',
    ],
    [
      'a signature of Azure',
      `https://a.example/?sv=1&sig=${CANARY}%3D`,
      'https://a.example/?sv=1&sig=redacted',
    ],
    [
      'a fragment',
      `https://a.example/cb#access_token=${CANARY}`,
      'https://a.example/cb#access_token=redacted',
    ],
    [
      'a parameter of a path',
      `https://a.example/a;jsessionid=${CANARY}/b`,
      'https://a.example/a;jsessionid=redacted',
    ],
    [
      'a value with a slash',
      `https://a.example/?sig=ab/${CANARY}`,
      'https://a.example/?sig=redacted',
    ],
    [
      'a URL in a URL',
      `https://a.example/?to=https://b.example/?token=${CANARY}`,
      'https://a.example/?to=https://b.example/?token=redacted',
    ],
    [
      'an encoded URL in a URL',
      `https://a.example/?to=https%3A%2F%2Fb.example%2F%3Ftoken%3D${CANARY}`,
      'https://a.example/?to=redacted',
    ],
    ['a user with a password', `https://me:${CANARY}@a.example/b`, 'https://redacted@a.example/b'],
    ['a user alone', `https://${CANARY}@a.example/b`, 'https://redacted@a.example/b'],
    ['an account of ssh', 'ssh://git@a.example/b.git', 'ssh://git@a.example/b.git'],
    ['a password of ssh', `ssh://git:${CANARY}@a.example/b.git`, 'ssh://redacted@a.example/b.git'],
    [
      'an escaped ampersand',
      `a "https://a.example/?x=1&amp;token=${CANARY}" b`,
      'a "https://a.example/?x=1&amp;token=redacted" b',
    ],
    [
      'a sentence',
      `https://a.example/?token=${CANARY} answered 500`,
      'https://a.example/?token=redacted answered 500',
    ],
    [
      'a generated key',
      'https://a.example/?key=8fJ2kQ9xV4mT7wB1zR6n',
      'https://a.example/?key=redacted',
    ],
    [
      'a token of a known format',
      `https://a.example/?x=ghp_${'aB3dE6gH9k'.repeat(4)}`,
      'https://a.example/?x=redacted-github_token',
    ],
  ])('replaces %s', (_, text, shown) => {
    expect(redactUrls(text)).toBe(shown);
    expect(redactUrls(shown)).toBe(shown);
    expect(secretOfUrl(text) === null).toBe(text === shown);
  });

  it.each([
    'https://a.example/guide?page=2&lang=en',
    'https://a.example/?key=name&code=200&auth=basic',
    'https://a.example/?page_token=CAoQAA9x&max_tokens=200000',
    'https://a.example/?token=YOUR_TOKEN&api_key=xxxxxxxx',
    'https://a.example/docs/token=guide',
    'git@a.example:team/repository.git',
    'The limit is x=12 and the host a@b.example',
  ])('leaves %s', (text) => {
    expect(redactUrls(text)).toBe(text);
    expect(secretOfUrl(text)).toBeNull();
  });

  it('names the parameter and never the value', () => {
    expect(secretOfUrl(`https://a.example/?Token=${CANARY}`)).toBe('the parameter "Token"');
    expect(secretOfUrl(`https://a:${CANARY}@a.example/`)).toBe('the user name or password');
  });

  it('reaches every string and every name of a JSON value, and keeps a value without secrets', () => {
    const url = `https://a.example/?token=${CANARY}`;
    expect(redactUrlsIn({ [url]: 404, list: [{ url }], n: null })).toEqual({
      'https://a.example/?token=redacted': 404,
      list: [{ url: 'https://a.example/?token=redacted' }],
      n: null,
    });
    const clean = { url: 'https://a.example/?page=1', n: 1 };
    expect(redactUrlsIn(clean)).toBe(clean);
    expect(redactUrlsIn(null)).toBeNull();
  });

  it.each(['https://', '?token=', '&a=', 'a://b:', '?', '&', '=', '%74', 'https://a:b', '#;/'])(
    'takes steps that grow with the length of the text alone: %s',
    (part) => {
      for (const length of [1_000, 100_000]) {
        const text = part.repeat(length / part.length);
        expect(redactUrls(`${text} end`).endsWith('end')).toBe(true);
      }
    },
  );
});
