import { describe, expect, it } from '@jest/globals';

import { References } from './references.js';
import { SchemaHashes } from './schema-hash.js';

function hashOf(schema: unknown, schemas: Readonly<Record<string, unknown>> = {}): string {
  return new SchemaHashes(new References({ components: { schemas } })).of(schema);
}

describe('the hash of a schema', () => {
  const user = {
    type: 'object',
    required: ['id', 'name'],
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
  };

  it('does not depend on annotations, their order or the place of the schema', () => {
    const other = {
      description: 'Somebody',
      properties: {
        name: { type: ['string'], title: 'Name', example: 'Ada' },
        id: { 'x-go-type': 'int64', type: 'integer' },
      },
      additionalProperties: true,
      required: ['name', 'id'],
      type: 'object',
      example: { id: 1 },
    };
    expect(hashOf(other)).toBe(hashOf(user));
    expect(hashOf({ $ref: '#/components/schemas/U' }, { U: user })).toBe(hashOf(user));
    expect(
      hashOf(
        { allOf: [{ $ref: '#/components/schemas/U' }], description: 'Its owner' },
        { U: user },
      ),
    ).toBe(hashOf(user));
    const list = (items: unknown): unknown => ({ type: 'array', items });
    expect(
      hashOf(list({ $ref: '#/components/schemas/A' }), {
        A: { $ref: '#/components/schemas/B' },
        B: user,
      }),
    ).toBe(hashOf(list(user)));
  });

  it.each([
    ['a type', { ...user, properties: { ...user.properties, id: { type: 'string' } } }],
    [
      'a format',
      { ...user, properties: { ...user.properties, id: { type: 'integer', format: 'int64' } } },
    ],
    ['a field that is required', { ...user, required: ['id'] }],
    ['a field more', { ...user, properties: { ...user.properties, at: { type: 'string' } } }],
    [
      'a field named like a keyword',
      { ...user, properties: { ...user.properties, description: { type: 'string' } } },
    ],
    ['null', { ...user, type: ['object', 'null'] }],
    ['a closed object', { ...user, additionalProperties: false }],
  ])('differs by %s', (_, other) => {
    expect(hashOf(other)).not.toBe(hashOf(user));
  });

  it('ends for schemas that contain themselves, and distinguishes them by content, not by name', () => {
    const tree = (name: string, value: string) => ({
      [name]: {
        type: 'object',
        properties: {
          value: { type: value },
          sub: { type: 'array', items: { $ref: `#/components/schemas/${name}` } },
        },
      },
    });
    const of = (name: string, value: string) =>
      hashOf({ $ref: `#/components/schemas/${name}` }, tree(name, value));
    expect(of('Tree', 'string')).toBe(of('Node', 'string'));
    expect(of('Tree', 'string')).not.toBe(of('Tree', 'integer'));
    const above = (value: string) =>
      hashOf({ properties: { root: { $ref: '#/components/schemas/T' } } }, tree('T', value));
    expect(above('string')).not.toBe(above('integer'));
    const pair = {
      A: { properties: { b: { $ref: '#/components/schemas/B' } } },
      B: { properties: { b: { $ref: '#/components/schemas/A' } } },
    };
    const alone = { S: { properties: { b: { $ref: '#/components/schemas/S' } } } };
    expect(hashOf({ $ref: '#/components/schemas/A' }, pair)).toBe(
      hashOf({ $ref: '#/components/schemas/S' }, alone),
    );
    expect(
      hashOf({ $ref: '#/components/schemas/X' }, { X: { $ref: '#/components/schemas/X' } }),
    ).toEqual(expect.any(String));
  });

  it.each([
    ['U', 'T'],
    ['T', 'U'],
    ['Inside', 'Around'],
    ['Around', 'Inside'],
  ])('does not depend on what was hashed before: %s, then %s', (...names) => {
    const schemas = {
      T: {
        properties: {
          t: { $ref: '#/components/schemas/T' },
          u: { $ref: '#/components/schemas/U' },
        },
      },
      U: user,
      Inside: { properties: { inside: { $ref: '#/components/schemas/Inside' } } },
      Around: {
        properties: {
          a: { $ref: '#/components/schemas/Inside' },
          b: { $ref: '#/components/schemas/T' },
        },
      },
    };
    const hashes = new SchemaHashes(new References({ components: { schemas } }));
    const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(names.map((name) => hashes.of(reference(name)))).toEqual(
      names.map((name) => hashOf(reference(name), schemas)),
    );
  });
});
