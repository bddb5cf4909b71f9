import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

import type { JsonObject } from './define-event.js';
import { schemaBreaks } from './schema-breaks.js';

const json = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' }) as JsonObject;
const base = {
  name: z.string().max(64),
  kind: z.enum(['repo', 'docs']),
  size: z.number().int().nonnegative(),
  note: z.string().optional(),
  ends: z.string().nullable(),
  tags: z.array(z.string().min(1)),
  counts: z.record(z.string(), z.number()),
  target: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('all') }),
    z.object({ kind: z.literal('one'), id: z.string() }),
  ]),
};
const changed = (fields: Record<string, z.ZodType>, omit: readonly string[] = []) =>
  schemaBreaks(
    json(z.object(base)),
    json(
      z.object(
        Object.fromEntries(
          Object.entries({ ...base, ...fields }).filter(([name]) => !omit.includes(name)),
        ),
      ),
    ),
  );

describe('schemaBreaks', () => {
  it('finds none in the same schema', () => {
    expect(changed({})).toEqual([]);
  });

  it.each<[string, Record<string, z.ZodType>]>([
    ['a new optional field', { added: z.number().optional() }],
    ['a new value of an enum', { kind: z.enum(['repo', 'docs', 'pdf']) }],
    ['a wider limit', { name: z.string().max(128) }],
    ['no limit', { name: z.string() }],
    ['a wider number', { size: z.number() }],
    ['a nullable value', { name: z.string().max(64).nullable() }],
    ['a new form', { target: z.discriminatedUnion('kind', [...base.target.options, one('two')]) }],
  ])('allows %s', (_, fields) => {
    expect(changed(fields)).toEqual([]);
  });

  it.each<[string, Record<string, z.ZodType>, string]>([
    ['a new required field', { added: z.number() }, 'data.added is required now'],
    ['a field that may be absent', { name: base.name.optional() }, 'data.name may be absent now'],
    ['a field that must be there', { note: z.string() }, 'data.note is required now'],
    ['another type', { name: z.number() }, 'data.name accepts fewer types'],
    ['a smaller number type', { counts: z.record(z.string(), z.number().int()) }, 'data.counts'],
    [
      'a lost value of an enum',
      { kind: z.enum(['repo']) },
      'data.kind accepts fewer values (lost: "docs")',
    ],
    ['values where any were valid', { note: z.enum(['a']).optional() }, 'data.note accepts fewer'],
    ['a stricter limit', { name: z.string().max(32) }, 'data.name has a stricter maxLength'],
    ['a new limit', { name: z.string().min(1).max(64) }, 'data.name has a stricter minLength'],
    ['a pattern', { name: z.string().max(64).regex(/^a/) }, 'data.name has a stricter pattern'],
    ['a format', { note: z.iso.datetime().optional() }, 'data.note has a stricter format'],
    ['a value that is no longer null', { ends: z.string() }, 'data.ends accepts fewer types'],
    ['a stricter item', { tags: z.array(z.string().min(2)) }, 'data.tags.items has a stricter'],
    ['a lost form', { target: base.target.options[0] }, 'data.target.kind accepts fewer values'],
    [
      'a new required field of a form',
      { target: z.discriminatedUnion('kind', [base.target.options[0], one('one')]) },
      'data.target.extra is required now',
    ],
  ])('finds %s', (_, fields, expected) => {
    expect(changed(fields)).toEqual(expect.arrayContaining([expect.stringContaining(expected)]));
  });

  it('finds a removed field', () => {
    expect(changed({}, ['size'])).toEqual(['data.size was removed']);
  });

  it('finds a closed object and any difference in a keyword that it does not compare', () => {
    const open = { type: 'object' };
    expect(schemaBreaks(open, { ...open, additionalProperties: false })).toEqual([
      'data.additionalProperties is closed now',
    ]);
    expect(schemaBreaks(open, { ...open, not: {} })).toEqual(['data has another not']);
  });
});

function one(kind: string) {
  return z.object({ kind: z.literal(kind), id: z.string(), extra: z.string() });
}
