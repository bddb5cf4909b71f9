import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { parseJson } from './json-body.js';
import { MAX_JSON_DEPTH, MAX_JSON_FIELDS, scanJson } from './json-scan.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const codeOf = (text: string | Uint8Array) => {
  try {
    parseJson(typeof text === 'string' ? bytes(text) : text);
    return 'accepted';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('JSON bodies', () => {
  it('of any value without inherited names are read as JSON.parse reads them', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8, noUnicodeString: false }), (text) => {
        const problem = scanJson(text);
        if (problem === null) expect(parseJson(bytes(text))).toEqual(JSON.parse(text));
        else expect(problem.kind).toBe('inherited_key');
      }),
    );
  });

  it('may be nested up to the limit and no deeper, brackets in strings aside', () => {
    expect(codeOf(nested(MAX_JSON_DEPTH))).toBe('accepted');
    expect(codeOf(nested(MAX_JSON_DEPTH + 1))).toBe('malformed_json');
    expect(codeOf(JSON.stringify({ text: `"${'['.repeat(100)}\\` }))).toBe('accepted');
    expect(codeOf(`[${Array.from({ length: 100 }, () => '[]').join()}]`)).toBe('accepted');
  });

  it('may have fields up to the limit in all of their objects, and no more', () => {
    const objects = (count: number) =>
      JSON.stringify(Array.from({ length: count / 2 }, () => ({ a: ['b', 'c'], d: 1 })));
    expect(codeOf(objects(MAX_JSON_FIELDS))).toBe('accepted');
    expect(codeOf(objects(MAX_JSON_FIELDS + 2))).toBe('malformed_json');
    expect(() => parseJson(bytes(objects(180_000)))).toThrow('has more than 5,000 fields');
  });

  it('name the inherited key that they may not have', () => {
    const sentence = 'The request is not valid: constructor is not a known field';
    expect(() => parseJson(bytes('{"query":"a","constructor":1}'))).toThrow(sentence);
  });

  it.each([
    ['{"a":1,"a":2}', 'malformed_json'],
    ['{"a":1,"\\u0061":2}', 'malformed_json'],
    ['{"x":{"a":1},"y":{"a":2}}', 'accepted'],
    ['[{"a":1},{"a":2}]', 'accepted'],
    ['{"a":["a","a"],"b":"a"}', 'accepted'],
    ['{"__proto__":1}', 'validation_failed'],
    ['{"x":[{"\\u005f_proto__":1}]}', 'validation_failed'],
    ['{"constructor":1}', 'validation_failed'],
    ['{"x":"__proto__"}', 'accepted'],
    ['{"a" 1}', 'malformed_json'],
    ['"unterminated', 'malformed_json'],
    ['', 'accepted'],
  ])('%s: %s', (text, outcome) => {
    expect(codeOf(text)).toBe(outcome);
  });

  it('are UTF-8', () => {
    expect(codeOf(new Uint8Array([0x22, 0xff, 0x22]))).toBe('malformed_json');
    expect(parseJson(bytes('\ufeff{"a":"ü"}'))).toEqual({ a: 'ü' });
  });
});
