import { describe, expect, it } from '@jest/globals';

import { TimeSlices } from '#platform';
import { field, scipIndex, varint } from '#test/support/scip-index';

import { OccurrenceTable } from './occurrence-table.js';
import { OccurrenceTableBuilder } from './occurrence-table-builder.js';
import { tableOwner } from './occurrence-table-format.js';
import { readScipDocument, scipOccurrences } from './scip-document.js';
import { scipDocuments } from './scip-documents.js';

const OWNER = { tenantId: 'tenant-1', sourceId: 'source-1' };
const DEFINITION = 1;
const total = 'scip-test npm shop 1.0.0 src/`price.ts`/total().';

function file(bytes: Uint8Array, reads: number[] = []) {
  return {
    size: bytes.length,
    read: async (offset: number, length: number) => {
      reads.push(length);
      return bytes.subarray(offset, offset + length);
    },
  };
}

async function tableOf(index: Uint8Array): Promise<OccurrenceTable> {
  const slices = new TimeSlices();
  const builder = new OccurrenceTableBuilder(slices);
  for await (const bytes of scipDocuments(file(index))) {
    const document = await readScipDocument(bytes, slices);
    const placed = [];
    for await (const batch of scipOccurrences(document, slices))
      for (const each of batch)
        placed.push({ ...each, symbol: Buffer.from(each.symbol).toString('latin1') });
    await builder.add({ path: document.path, version: `v-${document.path}` }, placed);
  }
  return OccurrenceTable.decode(await builder.encode(OWNER));
}

describe('a table of occurrences', () => {
  it('counts the documents whose version a generation has', async () => {
    const table = await tableOf(scipIndex(['a.ts', 'b.ts', 'c.ts'].map((path) => ({ path }))));
    const versions = new Map([
      ['a.ts', 'v-a.ts'],
      ['b.ts', 'v-other'],
      ['d.ts', 'v-d.ts'],
    ]);
    expect(await table.countCurrent(versions)).toBe(1);
    expect(await table.countCurrent(new Map())).toBe(0);
  });

  it('finds symbols by place and their definitions', async () => {
    const table = await tableOf(
      scipIndex([
        { path: 'a.ts', occurrences: [{ range: [3, 4, 9], symbol: total, roles: DEFINITION }] },
        { path: 'empty.ts' },
        {
          path: 'b.ts',
          occurrences: [
            { range: [5, 0, 5, 5], symbol: total },
            { range: [0, 9, 14], symbol: total, roles: 2 },
            { range: [5, 10, 11], symbol: 'local 1', roles: DEFINITION },
            { range: [6, 0, 1], symbol: `${total}(cart)` },
          ],
        },
      ]),
    );
    const [used] = table.at('b.ts', { line: 6, column: 1 });
    expect(used).toMatchObject({ isDefinition: false, isImport: false, isLocal: false });
    expect(table.definitions(used?.symbol ?? -1)).toEqual([
      {
        document: expect.objectContaining({ path: 'a.ts', version: 'v-a.ts' }),
        line: 4,
        column: 5,
      },
    ]);
    expect(table.at('b.ts', { line: 1, column: 10 })).toMatchObject([
      { key: used?.key, isImport: true },
    ]);
    expect(table.at('b.ts', { line: 6, column: 11 })).toMatchObject([
      { isLocal: true, isInner: true, isDefinition: true },
    ]);
    expect(table.at('b.ts', { line: 7, column: 1 })).toMatchObject([
      { isLocal: false, isInner: true },
    ]);
    expect(table.at('b.ts', { line: 6, column: 2 })).toEqual([]);
    expect(table.at('c.ts', { line: 6, column: 1 })).toEqual([]);
    expect(table.symbolOf(used?.key ?? '')).toBe(used?.symbol);
    expect(table.symbolOf('1:2')).toBeUndefined();
  });

  it('has a local symbol of its own for each document', async () => {
    const occurrences = [{ range: [0, 0, 1], symbol: 'local 0' }];
    const table = await tableOf(
      scipIndex([
        { path: 'a.ts', occurrences },
        { path: 'b.ts', occurrences },
      ]),
    );
    const place = { line: 1, column: 1 };
    expect(table.at('a.ts', place)[0]?.key).not.toBe(table.at('b.ts', place)[0]?.key);
  });

  it.each(['`<constructor>`().', '`<init>`(+1).'])(
    'counts the constructor %s as its class, which it does not define',
    async (constructor) => {
      const cart = 'scip-test npm shop 1.0.0 Cart#';
      const table = await tableOf(
        scipIndex([
          {
            path: 'a.ts',
            occurrences: [
              { range: [0, 6, 10], symbol: cart, roles: DEFINITION },
              { range: [1, 2, 13], symbol: cart + constructor, roles: DEFINITION },
            ],
          },
        ]),
      );
      const [own] = table.at('a.ts', { line: 2, column: 3 });
      expect(own).toMatchObject({ isDefinition: false });
      expect(table.definitions(own?.symbol ?? -1)).toMatchObject([{ line: 1, column: 7 }]);
    },
  );

  it('knows a Python variable with an annotation by both of its symbols', async () => {
    const flask = 'scip-python python flask 1.0 `flask.globals`/';
    const table = await tableOf(
      scipIndex([
        {
          path: 'a.py',
          occurrences: [
            { range: [0, 0, 7], symbol: `${flask}session.session.`, roles: DEFINITION },
            { range: [1, 0, 7], symbol: `${flask}session#` },
            { range: [2, 0, 7], symbol: `${flask}session.` },
          ],
        },
      ]),
    );
    const keys = [1, 2, 3].map((line) => table.at('a.py', { line, column: 1 })[0]?.key);
    expect(keys[0]).toBe(keys[1]);
    expect(keys[0]).not.toBe(keys[2]);
  });

  it('reads ranges in each of their forms, and leaves out those that name no identifier', async () => {
    const message = (...fields: Buffer[]) => Buffer.concat([...fields, field(2, total)]);
    const single = Buffer.concat([field(1, 1), field(2, 2), field(3, 7)]);
    const multi = Buffer.concat([field(1, 2), field(3, 2), field(4, 5)]);
    const unpacked = [4, 0, 5].map((value) => field(1, value));
    const document = Buffer.concat([
      field(1, 'a.ts'),
      field(2, message(field(8, single))),
      field(2, message(field(9, multi))),
      field(2, message(...unpacked)),
      field(2, message(field(1, Buffer.from([5, 0, 6, 1])))),
      field(2, message(field(1, Buffer.from([7, 3, 3])))),
      field(2, field(1, Buffer.from([8, 0, 1]))),
    ]);
    const table = await tableOf(Buffer.concat([field(1, ''), field(2, document)]));
    const lines = [2, 3, 5, 6, 8, 9].filter((line) =>
      [1, 3, 4].some((column) => table.at('a.ts', { line, column }).length > 0),
    );
    expect(lines).toEqual([2, 3, 5]);
  });

  it('names its owner in its first bytes', async () => {
    const bytes = await new OccurrenceTableBuilder(new TimeSlices()).encode(OWNER);
    expect(tableOwner(bytes)).toEqual(OWNER);
    expect(tableOwner(Buffer.from('{"format":1,"tenant_id":"a","source_id":"b"}'))).toBeUndefined();
    await expect(OccurrenceTable.decode(bytes)).resolves.toBeDefined();
    await expect(OccurrenceTable.decode(bytes.subarray(0, 20))).rejects.toThrow('not a table');
  });
});

describe('a SCIP index', () => {
  it.each<[string, Uint8Array, string]>([
    ['another file', Buffer.from('{"documents": []}'), 'must start with its metadata'],
    ['a cut document', scipIndex([{ path: 'a.ts' }]).subarray(0, -2), 'is truncated'],
    ['a cut head', Buffer.concat([field(1, ''), Buffer.from([0x12, 0x80])]), 'is truncated'],
    [
      'a length over the end',
      Buffer.concat([field(1, ''), Buffer.from([0x12, 0x7f])]),
      'truncated',
    ],
    ['a group', Buffer.concat([field(1, ''), Buffer.from([0x1b])]), 'a value of kind 3'],
    ['a huge number', Buffer.concat([field(1, ''), Buffer.alloc(11, 0xff)]), 'out of range'],
    ['a document without a path', scipIndex([]).subarray(), ''],
    ['a path that is not UTF-8', scipIndex([{ path: Buffer.from([0xff, 0x41]) }]), 'valid UTF-8'],
    [
      'a path that is too long',
      scipIndex([{ path: 'a'.repeat(4_097) }]),
      '4,096 bytes in one path',
    ],
    [
      'a negative place',
      scipIndex([{ path: 'a', occurrences: [{ range: [-1, 0, 1], symbol: 's' }] }]),
      'out of range',
    ],
    [
      'a range of two numbers',
      scipIndex([{ path: 'a', occurrences: [{ range: [1, 0], symbol: 's' }] }]),
      'has 2 numbers',
    ],
    [
      'a symbol that is too long',
      scipIndex([{ path: 'a', occurrences: [{ range: [1, 0, 1], symbol: 's'.repeat(8_193) }] }]),
      '8,192 bytes in one symbol',
    ],
  ])('rejects %s', async (_, bytes, words) => {
    const index = words === '' ? Buffer.concat([bytes, field(2, field(4, 'go'))]) : bytes;
    await expect(tableOf(index)).rejects.toThrow(words === '' ? 'without a path' : words);
  });

  it('reads the longest path and symbol', async () => {
    const [path, symbol] = ['a'.repeat(4_096), 's'.repeat(8_192)];
    const table = await tableOf(scipIndex([{ path, occurrences: [{ range: [1, 0, 1], symbol }] }]));
    expect(table.at(path, { line: 2, column: 1 })).toHaveLength(1);
  });

  it('is read in few pieces, and with at most 200,000 documents', async () => {
    const one = field(2, field(1, 'a'));
    const reads: number[] = [];
    const many = Buffer.concat([field(1, ''), Buffer.concat(new Array(1_000_000).fill(one))]);
    const read = async () => {
      let documents = 0;
      for await (const bytes of scipDocuments(file(many, reads)))
        documents += bytes.length > 0 ? 1 : 0;
      return documents;
    };
    await expect(read()).rejects.toThrow('at most 200,000 documents');
    expect(reads.length).toBeLessThan(10);
  });

  it('may nest values in fields that are not read', async () => {
    let nested: Buffer = field(4, 'x');
    for (let depth = 0; depth < 1_000; depth += 1) nested = field(7, nested);
    const document = Buffer.concat([field(1, 'a.ts'), field(3, nested)]);
    const index = Buffer.concat([field(1, nested), field(2, document), field(9, varint(1))]);
    expect((await tableOf(index)).document('a.ts')).toMatchObject({ count: 0 });
  });
});
