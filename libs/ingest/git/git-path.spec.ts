import { describe, expect, it } from '@jest/globals';

import { pathBytes, spellPath } from './git-path.js';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf8 = (text: string) => Buffer.from(text, 'utf8');

describe('the spelling of a path', () => {
  it.each([
    'src/a b.ts',
    'ünïcode/👋.md',
    '100%E9.md',
    'caf%C3%A9.md',
    '\uFEFFx',
    'bad\uFFFD.txt',
    'bad\uFFFD7F',
    '\uFFFD',
  ])('of %j, which is UTF-8, is itself', (name) => {
    expect(spellPath(utf8(name))).toBe(name);
    expect(pathBytes(name)).toEqual(utf8(name));
  });

  it.each([
    ['a byte of Latin-1', latin1('caf\xe9.md'), 'caf\uFFFDE9.md'],
    ['a character cut short', latin1('x/\xf0\x9f\x91'), 'x/\uFFFDF0\uFFFD9F\uFFFD91'],
    ['an overlong slash', latin1('\xc0\xafx'), '\uFFFDC0\uFFFDAFx'],
    ['half a surrogate pair', latin1('\xed\xa0\x80'), '\uFFFDED\uFFFDA0\uFFFD80'],
    [
      'an invalid byte after UTF-8 characters',
      Buffer.concat([utf8('é👋'), latin1('\xff')]),
      'é👋\uFFFDFF',
    ],
    ['what reads like a spelling', utf8('caf\uFFFDE9.md'), 'caf\uFFFDEF\uFFFDBF\uFFFDBDE9.md'],
    [
      'a spelling of a spelling',
      utf8('\uFFFDEF\uFFFDBF'),
      '\uFFFDEF\uFFFDBF\uFFFDBDEF\uFFFDEF\uFFFDBF\uFFFDBDBF',
    ],
  ])('restores the bytes of %s', (_, bytes, spelling) => {
    expect(spellPath(bytes)).toBe(spelling);
    expect(pathBytes(spelling)).toEqual(bytes);
  });

  it('is another for every path made of the pieces that could be mistaken', () => {
    const pieces = [
      utf8('\uFFFD'),
      latin1('\xef'),
      latin1('\xbf'),
      latin1('\xbd'),
      utf8('E'),
      utf8('F'),
      utf8('9'),
    ];
    const paths = new Map<string, string>();
    let level: Buffer[] = [Buffer.alloc(0)];
    for (let length = 1; length <= 5; length += 1) {
      level = level.flatMap((path) => pieces.map((piece) => Buffer.concat([path, piece])));
      for (const path of level) {
        const spelling = spellPath(path);
        expect(pathBytes(spelling).equals(path)).toBe(true);
        const hex = path.toString('hex');
        expect(paths.get(spelling) ?? hex).toBe(hex);
        paths.set(spelling, hex);
      }
    }
    expect(paths.size).toBe(new Set(paths.values()).size);
  });
});
