import { describe, expect, it } from '@jest/globals';

import { returnTo } from './return-to.js';

describe('where a browser goes after its sign-in', () => {
  it.each([
    '/',
    '/docs',
    '/a/b?c=d&e=%2F%2Fevil.example#f',
    '/@x',
    '/:8080',
    '/.',
    '/a//b',
    '/x?u=https://evil.example',
  ])('may be %s', (path) => {
    expect(returnTo(path)).toBe(path);
    expect(new URL(path, 'https://footnote.example.com').host).toBe('footnote.example.com');
  });

  it('is the root where nothing is said', () => {
    expect(returnTo(undefined)).toBe('/');
  });

  it.each([
    ...[
      'https://evil.example',
      '//evil.example',
      '///evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'evil.example',
    ],
    ...[
      '/\t/evil.example',
      '/\n/evil.example',
      '\t//evil.example',
      ' //evil.example',
      '/a\\..\\..',
      'javascript:alert(1)',
    ],
    ...['http:evil.example', '', '?x', '#x', '/ä', '/\u202e', `/${'a'.repeat(512)}`],
  ])('is no other place: %j', (given) => {
    expect(() => returnTo(given)).toThrow('must be a path of this service');
  });
});
