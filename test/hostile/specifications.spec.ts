import { describe, expect, it } from '@jest/globals';
import { Lexer } from 'yaml';

import { boundTokens, loadSpec, MAX_YAML_TOKENS } from '#ingest/openapi/load-spec';
import { readSpec } from '#ingest/openapi/read-spec';
import { References } from '#ingest/openapi/references';
import { SchemaReader } from '#ingest/openapi/schema-fields';
import { threadMilliseconds } from '#test/support/thread-time';

const SIZE = 5_000;
const TIMES = 8;
const MARGIN = 4;
const LEAST_MS = 5;
const HEAD = 'openapi: 3.0.0\ninfo: {}\npaths: {}\n';

const fill = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length));
const list = <T>(length: number, of: (at: number) => T): T[] =>
  Array.from({ length: Math.ceil(length) }, (_, at) => of(at));
const yaml = (before: string, unit: string, after = '') => {
  return (size: number): string => `${HEAD}${before}${fill(unit, size)}${after}`;
};
const answerOf = (schema: object): object => ({
  get: { responses: { 200: { description: 'a', content: { 'application/json': { schema } } } } },
});
const json = (fields: object): string => JSON.stringify({ openapi: '3.1.0', info: {}, ...fields });
const schemaName = (at: number): string => `S${at}`;
const pointer = (at: number): object => ({ $ref: `#/components/schemas/${schemaName(at)}` });

/** Specifications that are cheap to write and meant to be dear to read, of any size. */
const SHAPES: readonly (readonly [name: string, text: (size: number) => string])[] = [
  ['YAML: open maps', yaml('x: ', '{a: ')],
  ['YAML: open lists', yaml('x: ', '[')],
  ['YAML: dashes', yaml('x:\n  ', '- ')],
  ['YAML: open keys', yaml('', '? ')],
  ['YAML: one key many times', yaml('', 'a: 1\n')],
  ['YAML: many keys', (size) => HEAD + list(size / 8, (at) => `k${at}: 1\n`).join('')],
  ['YAML: anchors', yaml('', 'a: &a *a\n')],
  ['YAML: aliases', yaml('b: &b 1\nx: [', '*b,', ']')],
  ['YAML: merged maps', yaml('b: &b {a: 1}\nx:\n', '  <<: *b\n')],
  ['YAML: open quotes', yaml('', '"a\n')],
  ['YAML: comments', yaml('', '# a\n')],
  ['YAML: documents', yaml('', '---\n')],
  ['YAML: lines of one text', yaml('x: a\n', '  a\n')],
  [
    'JSON: lists within one another',
    (size) => `${json({ paths: {} }).slice(0, -1)},"x":${fill('[', size)}${fill(']', size)}}`,
  ],
  [
    'JSON: many fields',
    (size) => json({ paths: { '/a': answerOf({ properties: fields(size / 15) }) } }),
  ],
  [
    'JSON: many values',
    (size) => json({ paths: { '/a': answerOf({ enum: list(size / 6, (at) => at) }) } }),
  ],
  ['JSON: schemas that refer to the next', (size) => chain(size / 50, (at) => pointer(at + 1))],
  [
    'JSON: schemas that refer to the next two',
    (size) => chain(size / 90, (at) => ({ allOf: [pointer(at + 1), pointer(at + 2)] })),
  ],
  [
    'JSON: operations with one large schema',
    (size) => {
      const paths = list(size / 120, (at) => [`/p${at}`, answerOf(pointer(0))]);
      return json({
        paths: Object.fromEntries(paths) as object,
        components: { schemas: { S0: { properties: fields(size / 40) } } },
      });
    },
  ],
];

function fields(count: number): object {
  return Object.fromEntries(list(count, (at) => [`p${at}`, { type: 'string' }]));
}

function chain(count: number, of: (at: number) => object): string {
  const schemas = Object.fromEntries(list(count, (at) => [schemaName(at), of(at)]));
  return json({ paths: { '/a': answerOf(pointer(0)) }, components: { schemas } });
}

/** The cost and outcome of a read: texts, or a rejection that the thread turns into a sentence. */
function reading(text: string): { readonly ms: number; readonly characters: number } {
  const bytes = Buffer.from(text);
  let characters = 0;
  const ms = threadMilliseconds(() => {
    try {
      const { parts } = readSpec(bytes, { include: [], exclude: [], maxParts: 50_000 });
      characters = parts.reduce((sum, { texts }) => sum + texts.join('').length, 0);
    } catch (error) {
      if ((error as Error).name === 'SpecProblem') return;
      if (!(error instanceof RangeError && /call stack/.test(error.message))) throw error;
    }
  });
  return { ms, characters };
}

describe('hostile specifications', () => {
  it.each(SHAPES)(
    'are read in time that grows with their size, into a bounded multiple: %s',
    (_, text) => {
      reading(text(SIZE));
      const few = reading(text(SIZE)).ms;
      const { ms, characters } = reading(text(TIMES * SIZE));
      expect(ms).toBeLessThan(MARGIN * TIMES * Math.max(few, LEAST_MS));
      expect(characters).toBeLessThan(20 * TIMES * SIZE);
    },
  );

  it('are rejected for the first token beyond the bound of YAML, and for none before it', () => {
    // The lexer marks the start of a document and of the list, and its end.
    const spec = (tokens: number): string => `[${','.repeat(tokens - 3)}]`;
    expect([...new Lexer().lex(spec(1_000))]).toHaveLength(1_000);
    expect(() => boundTokens(spec(MAX_YAML_TOKENS))).not.toThrow();
    expect(() => boundTokens(spec(MAX_YAML_TOKENS + 1))).toThrow(
      /more than 2500000 tokens of YAML; publish it as JSON/,
    );
  });

  it('list the fields of a schema once, however many operations show the first few', () => {
    let lists = 0;
    const properties = new Proxy(fields(1_000), {
      ownKeys: (target) => {
        lists += 1;
        return Reflect.ownKeys(target);
      },
    });
    const reader = new SchemaReader(
      new References({ components: { schemas: { S0: { properties } } } }),
    );
    for (let at = 0; at < 100; at += 1) {
      const [first] = reader.shapeOf(pointer(0)).fields();
      expect(first?.name).toBe('p0');
    }
    expect(lists).toBe(1);
  });

  it('name the place of a key that comes again, however many there are', () => {
    expect(() => loadSpec(Buffer.from(yaml('', 'a: 1\n')(TIMES * SIZE)))).toThrow(
      /Map keys must be unique \(line 5, column 1\)/,
    );
  });
});
