import { describe, expect, it } from '@jest/globals';

import { MAX_PASSWORD, MIN_PASSWORD } from '#contracts/http/validation/password';

import { isCommonPassword } from './common-passwords.js';
import { normalizedAddress } from './mail-address.js';
import { mostUsedPasswords } from './most-used-passwords.js';

describe('a password that anybody would try first', () => {
  it.each([
    'password1234',
    'Password123!',
    'P@ssw0rd2026!',
    '123456789012',
    '210987654321',
    'qwertyuiopas',
    'aaaaaaaaaaaa',
    'abcabcabcabc',
    'abcabcabcabca',
    'letmeinletmein',
    'footnote2026',
    'Administrator',
    'ada.lovelace@example.com',
    'ada.lovelace1',
    '1qaz2wsx3edc',
    'JustinBieber',
    'FinalFantasy7',
    'l3avemealone',
  ])('is refused: %s', async (password) => {
    expect(await isCommonPassword(password, ['ada.lovelace@example.com', 'ada.lovelace', ''])).toBe(
      true,
    );
  });

  it.each([
    'correct horse battery staple',
    'Tr0ub4dor&3 and more',
    'zwölf Boxkämpfer',
    'xkq-vrl-pnw-tzd',
    'ada likes pears!',
  ])('and another one is taken: %s', async (password) => {
    expect(await isCommonPassword(password, ['ada@example.com', 'ada'])).toBe(false);
  });
});

describe('the most used passwords', () => {
  const list = mostUsedPasswords();

  it('are more than the 3,000 that a standard asks for, each one that the policy would take, and refused', async () => {
    expect(new Set(list).size).toBe(5_000);
    for (const password of list) {
      expect([
        password,
        password.length >= MIN_PASSWORD && password.length <= MAX_PASSWORD,
      ]).toEqual([password, true]);
      expect([password, password.normalize('NFKC').toLowerCase()]).toEqual([password, password]);
      expect([password, await isCommonPassword(password.toUpperCase(), [])]).toEqual([
        password,
        true,
      ]);
    }
  });
});

describe('an address', () => {
  it('is the same however it is spelt, and another where it differs', () => {
    const same = ['Ada@Example.com', ' ada@example.com ', 'ADA@EXAMPLE.COM', 'ａda@example.com'];
    expect(new Set(same.map(normalizedAddress))).toEqual(new Set(['ada@example.com']));
    expect(normalizedAddress('ada@bücher.example')).toBe(
      normalizedAddress('ada@xn--bcher-kva.example'),
    );
    expect(normalizedAddress('ada+x@example.com')).not.toBe(normalizedAddress('ada@example.com'));
  });
});
