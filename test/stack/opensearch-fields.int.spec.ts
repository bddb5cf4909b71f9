import { expect, it, jest } from '@jest/globals';

import { foldText } from '#contracts/content/required-text';
import type { DocumentRange, LiveSource } from '#search-index';
import { rowCondition } from '#search-index/opensearch/row-trigrams';
import { DocumentPaths } from '#search-index/opensearch/search/document-paths';
import { SearchServer } from '#search-index/opensearch/server';
import { trigramCondition } from '#search-index/pack/trigrams/trigram-condition';

import { describeWhen } from '../support/describe-when.js';
import { type ChunkSketch, IndexedSource, uuidOf } from '../support/indexed-source.js';
import { OpenSearchIndices } from '../support/opensearch-server.js';

const ONE = uuidOf('tenant one');
const TWO = uuidOf('tenant two');
const UNAVAILABLE = expect.objectContaining({
  code: 'engine_unavailable',
  retryAfter: expect.any(Number),
});

// Each test makes indices of its own.
jest.setTimeout(120_000);

describeWhen('OPENSEARCH_URL', 'fields of rows in OpenSearch', (url) => {
  it('adds the names of members to the index of an earlier version, and finds them', async () => {
    const indices = new OpenSearchIndices(url);
    try {
      const source = new IndexedSource(ONE, uuidOf('members'));
      const plain = { path: 'plain.ts', text: 'nothing inside' };
      const place = { line: 2, column: 3, last_line: 2 };
      const member = { name: 'cartOwner', parent: 'Cart', kind: 'property', ...place } as const;
      const manifest = (generation: number, ...sketches: ChunkSketch[]) =>
        source.manifest(generation, [source.pack(sketches)]);
      const first = await indices.open();
      await first.applyGeneration(manifest(1, plain), source.readBlob);
      await indices.replaceWithoutField('members');
      const [fields, rows] = [await indices.fields(), await indices.rows()];
      expect([fields.includes('defs'), fields.includes('members'), rows]).toEqual([true, false, 0]);

      const next = await indices.open();
      const within = { ...plain, path: 'cart.ts', members: [member] };
      await next.applyGeneration(manifest(2, plain, within), source.readBlob);
      expect(await indices.fields()).toEqual([...new Set([...fields, 'members'])].sort());
      const text = { text: 'cartOwner', kind: 'exact' } as const;
      const query = { tenants: [ONE], scope: [source.at(2)], match: text, limit: 10 };
      expect(await next.symbols(query)).toMatchObject([
        { path: 'cart.ts', name: 'cartOwner', symbol: 'Cart.cartOwner', place: { line: 2 } },
      ]);
      expect(await next.symbols({ ...query, tenants: [TWO], scope: [] })).toEqual([]);
    } finally {
      await indices.dispose();
    }
  });

  it('reads only documents that may have a text, and those of earlier versions', async () => {
    const indices = new OpenSearchIndices(url);
    try {
      const index = await indices.open();
      const source = new IndexedSource(ONE, uuidOf('required'));
      const other = new IndexedSource(TWO, uuidOf('required'));
      const file = (path: string, text: string): ChunkSketch => ({ path, text });
      const plain = [file('b.ts', 'const b = 1;'), file('c.ts', 'const c = 1;')];
      const first = [file('a.ts', 'const TIMEOUT_MS = 5;'), ...plain];
      const changed = [file('a.ts', 'const a = 1;'), ...plain, file('d.ts', 'timeout_ms();')];
      const apply = (to: IndexedSource, generation: number, sketches: readonly ChunkSketch[]) =>
        index.applyGeneration(to.manifest(generation, [to.pack([...sketches])]), to.readBlob);
      await apply(source, 1, first);
      await apply(source, 2, changed);
      await apply(other, 1, [file('e.ts', 'timeout_ms();'), ...plain]);
      const required = { kind: 'text', text: foldText('TIMEOUT_ms') } as const;
      const read = async (live: LiveSource, range: DocumentRange = { required }, from = index) => {
        const found: (string | number)[] = [];
        for await (const each of from.documents(live, range))
          found.push('excluded' in each ? each.excluded : each.path);
        return found;
      };
      expect(await read(source.at(1))).toEqual(['a.ts', 2]);
      expect(await read(source.at(2))).toEqual([3, 'd.ts']);
      expect(await read(other.at(1))).toEqual([2, 'e.ts']);
      expect(await read(source.at(2), { required, from: 'c.ts' })).toEqual([1, 'd.ts']);
      const filter = { paths: ['{a,b}.ts'], languages: [] };
      expect(await read(source.at(2), { required, filter })).toEqual([2]);
      const forgetful = await indices.open({ documentsKeptBytes: 1 });
      const all = ['a.ts', 'b.ts', 'c.ts', 'd.ts'];
      for (const each of [index, forgetful])
        expect(await read(source.at(2), {}, each)).toEqual(all);
      await indices.loseRows('d.ts');
      expect(await read(source.at(2), {})).toEqual(all);
      await expect(read(source.at(2), {}, forgetful)).rejects.toEqual(UNAVAILABLE);
      await indices.loseExcludedFields('c.ts');
      const paths = new DocumentPaths(new SearchServer(url, 10_000), indices);
      const condition = rowCondition(trigramCondition(required));
      expect([...((await paths.meeting(source.at(1), condition)) ?? [])]).toEqual(['a.ts', 'c.ts']);
    } finally {
      await indices.dispose();
    }
  });
});
