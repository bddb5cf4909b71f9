import { describe, expect, it } from '@jest/globals';

import type { IndexedSymbol, LiveSource, SymbolQuery } from '#search-index';

import { type ChunkSketch, IndexedSource, uuidOf } from '../../support/indexed-source.js';
import { type IndexContext, ONE, TWO } from './index-context.js';

const LINES = { start_line: 1, end_line: 2 };
const PLACE = { kind: 'class', line: 2, column: 7, last_line: 9 } as const;

/** A chunk that defines one class. */
function defining(path: string, name: string, ordinal = 0): ChunkSketch {
  const definitions = [{ name, symbol: `in.${name}`, ...LINES, place: PLACE }];
  return { path, text: `class ${name} ${path}`, ordinal, defs: [name], definitions };
}

const MEMBER = { line: 3, column: 70_000, last_line: 4 } as const;
const WITH_MEMBERS: ChunkSketch = {
  ...defining('a.ts', 'Cart'),
  members: [
    { name: 'cartOwner', parent: 'in.Cart', kind: 'property', ...MEMBER },
    { name: 'RedEnd', parent: 'in.Color', kind: 'constant', ...MEMBER, line: 4 },
  ],
};

/** Definitions by their names. */
export function symbolsContract(context: IndexContext): void {
  const find = (
    scope: readonly LiveSource[],
    text: string,
    options: Partial<SymbolQuery> = {},
  ): Promise<readonly IndexedSymbol[]> =>
    context.index.symbols({
      tenants: [ONE],
      scope,
      match: { text, kind: 'any' },
      limit: 100,
      ...options,
    });
  const places = (found: readonly IndexedSymbol[]) =>
    found.map(({ path, name }) => `${path} ${name}`);

  describe('symbols', () => {
    it('have their lines, kind and column', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const live = await context.apply(source, 1, defining('a.ts', 'Cart'));
      expect(await find([live], 'Cart', { match: { text: 'Cart', kind: 'exact' } })).toEqual([
        {
          source: live,
          path: 'a.ts',
          fragment: undefined,
          language: 'typescript',
          name: 'Cart',
          symbol: 'in.Cart',
          startLine: 1,
          endLine: 9,
          place: PLACE,
        },
      ]);
    });

    it('are found by name, beginning and humps, and not by other parts', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const names = ['KafkaConsumer', 'kafka_consumer', '_KafkaShareConsumer', 'MockKafkaConsumer'];
      const live = await context.apply(
        source,
        1,
        ...names.map((name, at) => defining(`${at}.ts`, name)),
      );
      const named = async (text: string) => (await find([live], text)).map(({ name }) => name);
      expect(await named('KC')).toEqual(names.slice(0, 3));
      expect(await named('kafka')).toEqual(names.slice(0, 2));
      expect(await named('kafkaconsumer')).toEqual(names.slice(0, 1));
      expect(await named('Consumer')).toEqual([]);
      expect(await named('.*')).toEqual([]);
      const exact = { match: { text: 'kafkaConsumer', kind: 'exact' } } as const;
      expect(await find([live], '', exact)).toEqual([]);
    });

    it('include members by the same rules, after the definitions of their passage', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const live = await context.apply(source, 1, WITH_MEMBERS, defining('b.ts', 'cartOwner'));
      const exact = { match: { text: 'cartOwner', kind: 'exact' } } as const;
      expect(await find([live], '', exact)).toEqual([
        {
          source: live,
          path: 'a.ts',
          fragment: undefined,
          language: 'typescript',
          name: 'cartOwner',
          symbol: 'in.Cart.cartOwner',
          startLine: 3,
          endLine: 4,
          place: { kind: 'property', line: 3, column: 70_000, last_line: 4 },
        },
        expect.objectContaining({ path: 'b.ts', symbol: 'in.cartOwner' }),
      ]);
      expect(places(await find([live], 'cart'))).toEqual([
        'a.ts Cart',
        'a.ts cartOwner',
        'b.ts cartOwner',
      ]);
      expect(places(await find([live], 'RE'))).toEqual(['a.ts RedEnd']);
      expect(places(await find([live], 'cart', { limit: 2 }))).toEqual([
        'a.ts Cart',
        'a.ts cartOwner',
      ]);
      await context.reopen();
      expect(places(await find([live], 'CO'))).toEqual(['a.ts cartOwner', 'b.ts cartOwner']);
    });

    it('of members are in the outline by place, and in no other answer', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const live = await context.apply(source, 1, WITH_MEMBERS);
      const { definitions, unplaced } = await context.index.outline(live, 'a.ts');
      expect(definitions.map(({ symbol, place }) => `${place?.line} ${symbol}`)).toEqual([
        '2 in.Cart',
        '3 in.Cart.cartOwner',
        '4 in.Color.RedEnd',
      ]);
      expect(unplaced).toEqual([]);
      for await (const document of context.index.documents(live, {}))
        if (!('excluded' in document))
          expect(document.definitions().map(({ symbol }) => symbol)).toEqual(['in.Cart']);
    });

    it('of members change neither candidates nor their order nor ids', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const owner: ChunkSketch = { path: 'c.ts', text: 'cart owner red end' };
      const before = await context.apply(source, 1, defining('a.ts', 'Cart'), owner);
      const ranked = async (live: LiveSource) =>
        (await context.search('cartOwner RedEnd in Cart', [live])).candidates.map((each) => [
          each.chunkId,
          Array.from(each.termFrequencies),
          each.cosine,
          each.length,
          each.defs,
          each.definitions,
          ['Cart', 'cartOwner', 'RedEnd'].filter((name) => each.defines(name)),
        ]);
      const first = await ranked(before);
      const after = await context.apply(source, 2, WITH_MEMBERS, owner);
      expect(first).toHaveLength(2);
      expect(await ranked(after)).toEqual(first);
      expect(places(await find([source.at(1)], 'cartOwner'))).toEqual([]);
      expect(places(await find([after], 'cartOwner'))).toEqual(['a.ts cartOwner']);
    });

    it('come by source, path and place, from whichever pack, cut at the limit', async () => {
      const [first, second] = ['s', 't']
        .map((name) => new IndexedSource(ONE, uuidOf(name)))
        .sort((a, b) => (a.sourceId < b.sourceId ? -1 : 1)) as [IndexedSource, IndexedSource];
      const late = defining('b.ts', 'Cart', 1);
      const packs = [
        first.pack([defining('\uffff.ts', 'Cart'), defining('b.ts', 'Cart')]),
        first.pack([defining('😀.ts', 'Cart'), defining('a.ts', 'Cart'), late]),
      ];
      await context.index.applyGeneration(first.manifest(1, packs), first.readBlob);
      const other = await context.apply(second, 1, defining('a.ts', 'Cart'));
      const scope = [other, first.at(1)];
      const ordered = ['a.ts', 'b.ts', 'b.ts', '\uffff.ts', '😀.ts', 'a.ts'].map(
        (path) => `${path} Cart`,
      );
      expect(places(await find(scope, 'Cart'))).toEqual(ordered);
      expect(places(await find(scope, 'Ca', { limit: 3 }))).toEqual(ordered.slice(0, 3));
      const filter = { paths: ['b.*'], languages: [] };
      expect(places(await find(scope, 'Cart', { filter }))).toEqual(ordered.slice(1, 3));
    });

    it('without recorded lines have those of their passage', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const live = await context.apply(source, 1, {
        path: 'old.ts',
        text: 'class Old {}',
        defs: ['Old'],
      });
      expect(await find([live], 'Old')).toMatchObject([
        { name: 'Old', symbol: 'Old', startLine: 1, endLine: 1, place: undefined },
      ]);
    });

    it('are those of the named generations of visible tenants alone', async () => {
      const mine = new IndexedSource(ONE, uuidOf('same'));
      const theirs = new IndexedSource(TWO, uuidOf('same'));
      const live = await context.apply(mine, 1, defining('a.ts', 'Cart'));
      const foreign = await context.apply(theirs, 1, defining('b.ts', 'Cart'));
      expect(places(await find([live], 'Cart'))).toEqual(['a.ts Cart']);
      await expect(find([foreign], 'Cart')).rejects.toThrow('may not see');
      await context.index.applyGeneration(
        mine.manifest(2, [mine.pack([defining('c.ts', 'Cart')])]),
        mine.readBlob,
      );
      expect(places(await find([mine.at(2)], 'Cart'))).toEqual(['c.ts Cart']);
      await expect(find([mine.at(3)], 'Cart')).rejects.toThrow();
    });
  });
}
