import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { RustLineEngine } from '../pattern/rust-line-engine.js';
import { parseQuery } from '../query/parse-query.js';
import { type QueryNode } from '../query/query-node.js';
import { matchDocuments, type ShownOptions } from './match-documents.js';
import type { ScannedDocument } from './matched-line.js';
import { QueryMatcher } from './query-matcher.js';

const OPTIONS: ShownOptions = { contextLines: 0, maxLines: 1_000, isLate: () => false };

const DOCUMENTS: readonly ScannedDocument[] = [
  document('src/cart.ts', 'class Cart {\n  total() {}\n}\nnew Cart()', [
    { name: 'Cart', line: 1 },
    { name: 'total', line: 2 },
  ]),
  document('src/cart_test.ts', 'total\nCart\nfoo'),
  document('docs/readme.md', 'foo bar\nCart'),
];

function document(
  path: string,
  content: string,
  symbols: ScannedDocument['symbols'] = [],
): ScannedDocument {
  const language = path.endsWith('.ts') ? 'typescript' : 'markdown';
  const pieces = [{ startLine: 1, content }];
  return { path, repo: 'Shop', language, symbols, text: { pieces } };
}

function places(query: string, documents = DOCUMENTS): readonly string[] {
  const matcher = new QueryMatcher(parseQuery(query), new RustLineEngine());
  const found = matchDocuments(documents, matcher, OPTIONS);
  matcher.free();
  return found.documents.flatMap(({ index, lines }) => {
    const path = documents[index]?.path ?? '';
    return lines.length === 0 ? [path] : lines.map(({ number }) => `${path}:${number}`);
  });
}

/** Evaluates a query of literal words line by line, without any shortcut. */
function oracle(node: QueryNode, lines: readonly string[]): ReadonlySet<number> | undefined {
  switch (node.kind) {
    case 'term': {
      const found = lines.flatMap((line, at) =>
        line.includes(node.expression.pattern) ? [at] : [],
      );
      return found.length > 0 ? new Set(found) : undefined;
    }
    case 'not':
      return oracle(node.part, lines) ? undefined : new Set();
    case 'lang':
      return undefined;
    default: {
      const parts = node.parts.map((part) => oracle(part, lines));
      const held = parts.filter((part) => part !== undefined);
      const isTrue = node.kind === 'and' ? held.length === parts.length : held.length > 0;
      return isTrue ? new Set(held.flatMap((part) => [...part])) : undefined;
    }
  }
}

describe('QueryMatcher', () => {
  it.each([
    ['Cart', ['src/cart.ts:1', 'src/cart.ts:4', 'src/cart_test.ts:2', 'docs/readme.md:2']],
    ['Cart -file:_test file:\\.ts$', ['src/cart.ts:1', 'src/cart.ts:4']],
    [
      'total Cart',
      [
        'src/cart.ts:1',
        'src/cart.ts:2',
        'src/cart.ts:4',
        'src/cart_test.ts:1',
        'src/cart_test.ts:2',
      ],
    ],
    ['"foo bar" or total', ['src/cart.ts:2', 'src/cart_test.ts:1', 'docs/readme.md:1']],
    ['foo -bar', ['src/cart_test.ts:3']],
    ['sym:Cart', ['src/cart.ts:1']],
    ['type:symbol /^t/', ['src/cart.ts:2']],
    ['sym:Cart or content:bar', ['src/cart.ts:1', 'docs/readme.md:1']],
    ['lang:Markdown Cart', ['docs/readme.md:2']],
    ['repo:^shop$ foo', ['src/cart_test.ts:3', 'docs/readme.md:1']],
    ['repo:other foo', []],
    ['type:file test', ['src/cart_test.ts']],
    ['file:cart', ['src/cart.ts', 'src/cart_test.ts']],
    ['/Cart\\(\\)|foo$/', ['src/cart.ts:4', 'src/cart_test.ts:3']],
  ])('finds %s', (query, expected) => {
    expect(places(query)).toEqual(expected);
  });

  it('shows no lines of an alternative that does not hold', () => {
    expect(places('(foo file:readme) or total')).toEqual([
      'src/cart.ts:2',
      'src/cart_test.ts:1',
      'docs/readme.md:1',
    ]);
  });

  it('returns the place of a name, and joins overlapping matches', () => {
    const find = (query: string) => {
      const matcher = new QueryMatcher(parseQuery(query), new RustLineEngine());
      return matchDocuments(DOCUMENTS.slice(0, 1), matcher, OPTIONS).documents[0]?.lines[0];
    };
    expect(find('sym:Cart')).toMatchObject({ number: 1, ranges: [[6, 10]] });
    expect(find('"class C" or "s Car"')).toMatchObject({ ranges: [[0, 9]] });
  });

  it('rejects an expression with its position in the query', () => {
    expect(() => new QueryMatcher(parseQuery('a /b(/'), new RustLineEngine())).toThrow(
      expect.objectContaining({ name: 'PatternError', position: 4 }),
    );
  });

  it('counts a document without lines toward the limit', () => {
    const matcher = new QueryMatcher(parseQuery('file:cart'), new RustLineEngine());
    const found = matchDocuments(DOCUMENTS, matcher, { ...OPTIONS, maxLines: 1 });
    expect(found).toMatchObject({ examined: 1, documents: [{ index: 0, lines: [] }] });
  });

  it('equals an evaluation line by line', () => {
    const word = fc.constantFrom('a', 'b', 'ab', 'c', 'ba');
    const term = fc.tuple(fc.constantFrom('', '-'), word).map((parts) => parts.join(''));
    const query = fc
      .array(fc.tuple(term, fc.constantFrom(' ', ' or ', ' (', ') ')), {
        minLength: 1,
        maxLength: 6,
      })
      .map((parts) => `${parts.flat().join('')}a`);
    const lines = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 4 }), {
      minLength: 1,
      maxLength: 5,
    });
    let compared = 0;
    fc.assert(
      fc.property(query, lines, (text, content) => {
        let root: QueryNode;
        try {
          root = parseQuery(text);
        } catch {
          return;
        }
        compared += 1;
        const expected = [...(oracle(root, content) ?? [])].sort((a, b) => a - b);
        const found = places(text, [document('x.ts', content.join('\n'))]);
        expect(found).toEqual(expected.map((line) => `x.ts:${line + 1}`));
      }),
      { numRuns: 1_000 },
    );
    expect(compared).toBeGreaterThan(100);
  });
});
