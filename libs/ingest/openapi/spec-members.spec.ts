import { hash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { membersOfJson, type SpecMember } from './spec-members.js';
import type { KnownText } from './spec-memory.js';

const NONE: ReadonlyMap<string, KnownText> = new Map();
const read = (text: string | Uint8Array, known = NONE) =>
  membersOfJson(typeof text === 'string' ? Buffer.from(text) : text, known);

/** The object whose members these are, read through every level. */
function objectOfMembers(members: readonly SpecMember[]): Record<string, unknown> {
  return Object.fromEntries(
    members.map((member) => [
      member.key,
      member.members ? objectOfMembers(member.members) : member.value(),
    ]),
  );
}

const TEXT = JSON.stringify(
  {
    openapi: '3.1.0',
    info: { title: 'Übergröße \u2028 "quoted" \\', version: '1' },
    paths: {
      '/a/{b}': { get: { deprecated: false, 'x-n': [1, -2.5e3, null, { a: [] }] } },
      '/"quoted"\\': {},
      1: { get: { summary: '}],"' } },
    },
    components: { schemas: { A: { type: 'object' }, B: true }, examples: {}, 'x-list': [1, 2] },
    security: [],
  },
  null,
  2,
);

describe('members of a specification in JSON', () => {
  it('have the values that JSON has, piece by piece', () => {
    const members = read(TEXT) ?? [];
    expect(objectOfMembers(members)).toEqual(JSON.parse(TEXT));
    const whole = Object.fromEntries(members.map((member) => [member.key, member.value()]));
    expect(whole).toEqual(JSON.parse(TEXT));
  });

  it('are not read from text that is cut off, continued or damaged', () => {
    const compact = JSON.stringify(JSON.parse(TEXT));
    for (let end = 0; end < compact.length; end += 1)
      expect(read(compact.slice(0, end))).toBeUndefined();
    for (const damaged of [
      `${TEXT}}`,
      `${TEXT} {}`,
      '[]',
      'openapi: 3.1.0',
      '{"a" 1}',
      '{"a": 1,}',
      '{"a": 1 "b": 2}',
      '{"a": }',
      '{a: 1}',
      '{"a": 01}',
      '{"a": {"b": tru}}',
      '{"paths": {"/a": {"b": [1}]}}',
      '{"paths": {"/a": {}, }}',
      '{"a": "\n"}',
    ])
      expect(read(damaged)).toBeUndefined();
  });

  it('are not read where a key repeats or the text is not UTF-8', () => {
    expect(read('{"paths": {}, "paths": {}}')).toBeUndefined();
    expect(read('{"paths": {"/a": {}, "/\\u0061": {}}}')).toBeUndefined();
    const bytes = Buffer.from('{"info": {"title": "x"}}');
    bytes[bytes.indexOf('x')] = 0xff;
    expect(read(bytes)).toBeUndefined();
  });

  it('are taken from the previous reading only where the text is the same', () => {
    const piece = '{"type":"object"}';
    const known = (text: string) =>
      new Map([
        [
          '#/components/schemas/A',
          {
            bytes: text.length,
            text: hash('sha256', text, 'base64url'),
            hash: 'value',
            references: ['#/components/schemas/B'],
          },
        ],
      ]);
    const memberOf = (written: string, texts: ReadonlyMap<string, KnownText>) =>
      read(`{"components":{"schemas":{"A":${written}}}}`, texts)?.[0]?.members?.[0]?.members?.[0];
    const same = known(piece);
    expect(memberOf(piece, same)?.text).toBe(same.get('#/components/schemas/A'));
    expect(memberOf(piece, same)?.value()).toEqual({ type: 'object' });
    for (const other of ['{"type":"string"}', '{"type":"objects"}', '{}', '12'])
      expect(memberOf(other, same)?.text).not.toHaveProperty('references');
    // A number with more digits begins with the text of a shorter one.
    expect(memberOf('12', known('1'))?.value()).toBe(12);
  });
});
