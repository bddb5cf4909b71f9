import { hash } from 'node:crypto';

import { describe, expect, it, jest } from '@jest/globals';
import { stringify } from 'yaml';

import { type ReadSpec, readSpec } from './read-spec.js';
import { encodeSpecPart } from './rendered-part.js';
import { decodeMemory, encodeMemory, type RememberedPart, type SpecMemory } from './spec-memory.js';

const OPTIONS = { include: [], exclude: [], maxParts: 1_000 };
const ok = (schema: unknown) => ({
  200: { description: 'Fine', content: { 'application/json': { schema } } },
});
const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const many = (prefix: string, field: unknown) =>
  Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${prefix}_${at}`, field]));
const LONG = {
  type: 'string',
  description: 'Something that takes a while to explain, and then some more of it',
};

interface Operation {
  summary?: string;
  parameters?: unknown[];
  responses: Record<string, unknown>;
}

/**
 * Operations that share schemas: plain, large, in circles, behind other names, and inside of
 * another operation.
 */
function library() {
  const paths: Record<string, Record<string, Operation>> = {
    '/books': { get: { summary: 'Books', responses: ok({ type: 'array', items: named('Book') }) } },
    '/books/{id}': {
      get: { parameters: [{ $ref: '#/components/parameters/Id' }], responses: ok(named('Book')) },
      delete: { responses: { 204: { $ref: '#/components/responses/Gone' } } },
    },
    '/large': { get: { responses: ok(named('Large')) } },
    '/trees': { get: { responses: ok(named('Tree')) } },
    '/alias': { get: { responses: ok(named('Alias%20one')) } },
    '/like': {
      get: {
        responses: ok({
          $ref: '#/paths/~1books/get/responses/200/content/application~1json/schema',
        }),
      },
    },
    '/missing': { get: { responses: ok({ properties: { later: named('Later') } }) } },
    '/ways': { get: { responses: ok({ properties: { way: { $ref: '#/x-shared/way' } } }) } },
    '/health': { get: { summary: 'Health', responses: ok({ type: 'string' }) } },
  };
  const schemas: Record<string, Record<string, unknown>> = {
    Book: { properties: { title: { type: 'string', nullable: true }, author: named('Author') } },
    Author: { properties: { name: { type: 'string', example: 'Ada' } } },
    Large: { properties: { ...many('large', LONG), inner: named('Inner') } },
    Inner: { properties: many('inner', LONG) },
    Tree: { properties: { children: { type: 'array', items: named('Branch') } } },
    Branch: { properties: { tree: named('Tree'), leaf: { type: 'integer' } } },
    'Alias one': named('Author'),
  };
  const info = { title: 'Library', version: '1' };
  return {
    openapi: '3.0.3',
    info,
    servers: [{ url: 'https://library.example/v1' }],
    security: [{ key: [] }],
    paths,
    'x-webhooks': { lent: { post: { summary: 'Lent', responses: ok(named('Book')) } } } as Record<
      string,
      unknown
    >,
    'x-shared': { way: { type: 'string' } },
    components: {
      schemas,
      parameters: { Id: { name: 'id', in: 'path', schema: { type: 'string' } } },
      responses: { Gone: { description: 'Gone' } },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } as Record<
        string,
        unknown
      >,
    },
  };
}
type Library = ReturnType<typeof library>;

function read(spec: unknown, before?: SpecMemory): ReadSpec {
  return readText(JSON.stringify(spec), before);
}

function readText(text: string, before?: SpecMemory): ReadSpec {
  return readSpec(Buffer.from(text), { ...OPTIONS, ...(before && { before }) });
}

function remembered({ parts, kept, memory }: ReadSpec): SpecMemory {
  const fresh = parts.map((part): RememberedPart => {
    const bytes = encodeSpecPart(part);
    return { ...part, hash: hash('sha256', bytes), size: bytes.byteLength, left: [...part.left] };
  });
  return { ...memory, parts: [...fresh, ...kept] };
}

const hashes = ({ parts }: SpecMemory) =>
  new Map(
    parts
      .map(({ pointer, hash: of }) => [pointer, of] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
const laidOut = ({ parts }: ReadSpec) =>
  parts.map(({ pointer }) => pointer.replace('#/components/schemas/', '')).sort();

describe('a specification that changed', () => {
  const changes: Record<string, (spec: Library) => void> = {
    nothing: () => undefined,
    'an operation': ({ paths }) =>
      void ((paths['/books']?.['get'] as Operation).summary = 'All books'),
    'its neighbour': ({ paths }) =>
      void ((paths['/books/{id}']?.['delete'] as Operation).summary = 'Burn'),
    'a schema at the end': ({ components }) =>
      void (components.schemas['Author'] = { type: 'string' }),
    'a description far inside': ({ components }) =>
      void (components.schemas['Inner'] = {
        properties: { ...many('inner', LONG), last: { type: 'string' } },
      }),
    'what a circle goes through': ({ components }) =>
      void (components.schemas['Branch'] = { properties: { tree: named('Tree') } }),
    'what a name leads to': ({ components }) =>
      void (components.schemas['Alias one'] = named('Inner')),
    'a schema that was missing': ({ components }) =>
      void (components.schemas['Later'] = { properties: { now: { type: 'string' } } }),
    'a schema that is gone': ({ components }) => void delete components.schemas['Author'],
    'a path that is gone': ({ paths }) => void delete paths['/books'],
    'a path more': ({ paths }) =>
      void (paths['/archive'] = { get: { responses: ok(named('Large')) } }),
    'a large schema nobody leaves any more': ({ paths }) => void delete paths['/large'],
    'a parameter': ({ components }) => void (components.parameters.Id.schema.type = 'integer'),
    'a response': ({ components }) => void (components.responses.Gone.description = 'Burnt'),
    'a webhook': (spec) =>
      void (spec['x-webhooks']['lent'] = { post: { responses: ok(named('Tree')) } }),
    'the version': ({ info }) => void (info.version = '2'),
    'a way to authenticate': ({ components }) =>
      void (components.securitySchemes['key'] = { type: 'http' }),
    'what every operation needs': (spec) => void (spec.security = []),
    'where it is served': ({ servers }) =>
      void (servers[0] = { url: 'https://library.example/v2' }),
    'the text around it': (spec) => void (spec['x-shared'].way.type = 'integer'),
    'how its webhooks are named': (spec) =>
      void Object.assign(spec, {
        openapi: '3.1.0',
        webhooks: spec['x-webhooks'],
        'x-webhooks': undefined,
      }),
    'two kinds of webhooks': (spec) =>
      void Object.assign(spec, { webhooks: { lost: { post: { responses: {} } } } }),
  };

  it.each(Object.entries(changes))(
    'has the parts that it has when it is read alone: %s',
    (_, change) => {
      const first = remembered(read(library()));
      const spec = library();
      change(spec);
      const alone = hashes(remembered(read(spec)));
      const next = remembered(read(spec, first));
      expect(hashes(next)).toEqual(alone);
      // And back again, from what was kept and what was not.
      expect(hashes(remembered(read(library(), next)))).toEqual(hashes(first));
    },
  );

  it('is not laid out again except for itself and the parts that describe the change', () => {
    const of = (change: string) => {
      const spec = library();
      changes[change]?.(spec);
      return laidOut(read(spec, remembered(read(library()))));
    };
    expect(of('nothing')).toEqual(['']);
    expect(of('the version')).toEqual(['']);
    expect(of('a path that is gone')).toEqual(['', '#/paths/~1like/get']);
    expect(of('an operation')).toEqual(['', '#/paths/~1books/get', '#/paths/~1like/get']);
    expect(of('a description far inside')).toEqual(['', '#/paths/~1large/get', 'Inner', 'Large']);
    expect(of('what a circle goes through')).toEqual(['', '#/paths/~1trees/get', 'Branch', 'Tree']);
    expect(of('a schema that was missing')).toEqual(['', '#/paths/~1missing/get']);
    expect(of('a webhook')).toEqual(['', '#/webhooks/lent/post']);
    expect(of('what every operation needs').length).toBe(read(library()).parts.length);
  });

  it('of Swagger 2.0 is the same', () => {
    const swagger = (type: string, summary: string) => ({
      swagger: '2.0',
      info: {},
      consumes: ['application/xml'],
      produces: ['application/json'],
      paths: {
        '/a': {
          post: {
            parameters: [{ $ref: '#/parameters/B' }],
            responses: { 200: { schema: { $ref: '#/definitions/A' } } },
          },
        },
        '/b': { get: { summary, responses: { 200: { $ref: '#/responses/R' } } } },
      },
      definitions: { A: { properties: { x: { type } } } },
      parameters: { B: { name: 'b', in: 'body', schema: { $ref: '#/definitions/A' } } },
      responses: { R: { description: 'R', schema: { type: 'string' } } },
    });
    const first = remembered(read(swagger('string', 'One')));
    for (const [spec, expected] of [
      [swagger('integer', 'One'), ['', '#/paths/~1a/post']],
      [swagger('string', 'Two'), ['', '#/paths/~1b/get']],
    ] as const) {
      const next = read(spec, first);
      expect(hashes(remembered(next))).toEqual(hashes(remembered(read(spec))));
      expect(laidOut(next).filter((pointer) => pointer !== 'A')).toEqual(expected);
    }
  });

  it('in another layout has the same parts, and none is laid out again', () => {
    const first = remembered(read(library()));
    for (const text of [
      JSON.stringify(library(), null, 2),
      stringify(library(), { aliasDuplicateObjects: false }),
      `\uFEFF \r\n${JSON.stringify(library())}\t`,
    ]) {
      const next = readText(text, first);
      expect(laidOut(next)).toEqual(['']);
      expect(hashes(remembered(next))).toEqual(hashes(first));
      expect(laidOut(read(library(), remembered(next)))).toEqual(['']);
    }
  });

  it('is parsed only where a text differs from the previous reading', () => {
    const spec = library();
    spec.components.schemas['Unused'] = { properties: many('unused', LONG) };
    const first = remembered(read(spec));
    spec.paths['/health'] = { get: { summary: 'Healthy', responses: ok({ type: 'string' }) } };
    const text = JSON.stringify(spec);
    const parse = jest.spyOn(JSON, 'parse');
    try {
      const next = readText(text, first);
      const parsed = parse.mock.calls.reduce((sum, [part]) => sum + part.length, 0);
      expect(laidOut(next)).toEqual(['', '#/paths/~1health/get']);
      expect(parsed).toBeLessThan(text.length / 10);
    } finally {
      parse.mockRestore();
    }
  });

  it('of another dialect takes no references from the same texts', () => {
    const paths = {
      '/a': { get: { responses: { 200: { schema: { $ref: '#/definitions/A' } } } } },
    };
    const definitions = { A: { properties: { x: { type: 'string' } } } };
    const swagger = { swagger: '2.0', info: {}, paths, definitions };
    const openapi = { openapi: '3.1.0', info: {}, paths, definitions };
    for (const [one, other] of [
      [swagger, openapi],
      [openapi, swagger],
    ]) {
      const next = remembered(read(other, remembered(read(one))));
      expect(next).toEqual(remembered(read(other)));
    }
  });

  it('keeps nothing of another recipe or format, of damaged notes, or whose content is not kept', () => {
    const memory = remembered(read(library()));
    const written = encodeMemory(memory, 'r1');
    const kept = hashes(memory);
    expect(decodeMemory(written, 'r1', kept).pieces.size).toBe(memory.pieces.size);
    expect(decodeMemory(written, 'r2', kept).pieces.size).toBe(0);
    const older = JSON.stringify({ recipe: 'r1', pieces: [...memory.pieces], parts: memory.parts });
    const sealed = Buffer.from(`${hash('sha256', older)}\n${older}`);
    expect(decodeMemory(sealed, 'r1', kept).pieces.size).toBe(0);
    const damaged = Uint8Array.from(written);
    damaged[damaged.length - 9]! ^= 1;
    expect(decodeMemory(damaged, 'r1', kept).pieces.size).toBe(0);
    expect(decodeMemory(new Uint8Array(), 'r1', kept).pieces.size).toBe(0);
    const without = new Map([...kept].filter(([pointer]) => pointer !== '#/paths/~1health/get'));
    expect(laidOut(read(library(), decodeMemory(written, 'r1', without)))).toEqual([
      '',
      '#/paths/~1health/get',
    ]);
  });
});
