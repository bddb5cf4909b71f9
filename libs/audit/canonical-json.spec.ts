import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';

import { auditHistory } from '#test/support/audit-history';

import { canonicalJson, jsonSha256 } from './canonical-json.js';

describe('canonicalJson', () => {
  it('writes the example of RFC 8785, section 3.2.3', () => {
    const value: unknown = JSON.parse(`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
      "literals": [null, true, false]
    }`);
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts members by UTF-16 code units, as section 3.2.3 shows', () => {
    const value: unknown = JSON.parse(`{
      "\\u20ac": "Euro Sign", "\\r": "Carriage Return", "\\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One", "\\ud83d\\ude00": "Emoji: Grinning Face", "\\u0080": "Control",
      "\\u00f6": "Latin Small Letter O With Diaeresis"
    }`);
    expect(Object.values(JSON.parse(canonicalJson(value)) as object)).toHaveLength(7);
    expect([...canonicalJson(value).matchAll(/:"([^"]+)"/g)].map(([, text]) => text)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });

  it.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number with bits %s of RFC 8785, appendix B, as %s', (bits, text) => {
    expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
  });

  it('rejects what JSON cannot hold', () => {
    expect(() => canonicalJson(Number.NaN)).toThrow();
    expect(() => canonicalJson([Number.POSITIVE_INFINITY])).toThrow();
    expect(() => canonicalJson(undefined)).toThrow('needs a value');
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => canonicalJson(cycle)).toThrow();
  });

  it('replaces lone surrogates, and only those, so that every stored event has a text', () => {
    expect(canonicalJson({ text: 'a\ud800b', pair: '😀' })).toBe('{"pair":"😀","text":"a\ufffdb"}');
    expect(canonicalJson(['\udead', '\\ud800'])).toBe('["\ufffd","\\\\ud800"]');
  });

  it('writes the same text as the reference library for every kind of value', () => {
    const deep = Array.from({ length: 200 }).reduce<unknown>((inner) => [{ inner }], 'end');
    const odd = [{ toJSON: 1, a: '\u2028\u007f"\\/' }, [[], {}, -0, null], ''];
    for (const value of [...auditHistory(200), ...odd, deep]) {
      const parsed: unknown = JSON.parse(JSON.stringify(value, plainNumber));
      expect(canonicalJson(parsed)).toBe(canonicalize(parsed));
    }
  });

  it('leaves undefined members out', () => {
    expect(canonicalJson({ b: undefined, a: 1 })).toBe('{"a":1}');
  });
});

describe('jsonSha256', () => {
  it('returns the digest of the canonical text', () => {
    expect(jsonSha256({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
    expect(jsonSha256({ b: 1, a: 2 })).toBe(jsonSha256({ a: 2, b: 1 }));
  });
});

function plainNumber(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}
