import { describe, expect, it } from '@jest/globals';

import { documentLines } from '#code-search';
import { foldText } from '#contracts/content/required-text';
import type { IndexedDocument } from '#search-index';
import { StoredDocumentReader } from '#search-index/pack/stored-document-reader';

import { type ChunkSketch, IndexedSource, uuidOf } from '../../support/indexed-source.js';
import { CACHE, type IndexContext, ONE, RETRY, SOCKET, TWO } from './index-context.js';

/** Returns the text of a document; what a thread reads of it must be the same. */
async function textOf({ stored, chunks }: IndexedDocument): Promise<string> {
  const read = await chunks();
  if (stored) {
    const reader = new StoredDocumentReader();
    const document = reader.reading(() => reader.read(stored));
    expect(documentLines(document).lines.text).toBe(documentLines({ pieces: read }).lines.text);
    expect(stored.bytes).toBe(Buffer.byteLength(read.map(({ content }) => content).join('')));
  }
  return read.map(({ content }) => content).join();
}

/** Content, and tenants that see their own alone. */
export function contentContract(context: IndexContext): void {
  describe('tenants', () => {
    it('never see each other, even with one source id and the same content', async () => {
      const [mine, theirs] = [ONE, TWO].map(
        (tenant) => new IndexedSource(tenant, uuidOf('same')),
      ) as [IndexedSource, IndexedSource];
      const live = await context.apply(mine, 1, CACHE);
      await context.apply(theirs, 1, CACHE, RETRY);
      const result = await context.search('evict retry', [live]);
      expect(result.candidates.map(({ chunkId }) => chunkId)).toEqual([mine.idOf(CACHE)]);
      expect(result.statistics.chunks).toBe(1);
      expect(await context.index.contents(live, [theirs.idOf(CACHE)])).toEqual([undefined]);
      await context.index.dropGeneration(ONE, mine.sourceId, 1);
      expect(await context.index.generations()).toEqual([theirs.at(1)]);
    });

    it('cannot load a pack of another tenant', async () => {
      const [mine, theirs] = [ONE, TWO].map(
        (tenant) => new IndexedSource(tenant, uuidOf('same')),
      ) as [IndexedSource, IndexedSource];
      const stolen = mine.manifest(1, [theirs.pack([CACHE])]);
      await expect(context.index.applyGeneration(stolen, theirs.readBlob)).rejects.toThrow(
        'does not belong',
      );
      expect(await context.index.generations()).toEqual([]);
    });
  });

  describe('content', () => {
    it('comes back in the order asked, byte for byte', async () => {
      const odd: ChunkSketch = { path: 'odd.ts', text: 'tab\t crlf\r\n “quotes” 😀 \u0000 end' };
      const big: ChunkSketch = { path: 'big.ts', text: 'line of text\n'.repeat(20_000) };
      const source = new IndexedSource(ONE, uuidOf('s'));
      const live = await context.apply(source, 1, CACHE, odd, big);
      const ids = [source.idOf(odd), uuidOf('unknown'), source.idOf(CACHE), source.idOf(big)];
      expect(await context.index.contents(live, ids)).toEqual([
        odd.text,
        undefined,
        CACHE.text,
        big.text,
      ]);
      expect(await context.index.contents(live, ['not-an-id'])).toEqual([undefined]);
    });

    it('of a path is its chunks in order, from whichever pack', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const pieces = [2, 0, 1].map((ordinal) => ({
        path: 'a/b.ts',
        text: `part ${ordinal}`,
        ordinal,
      }));
      const live = await context.apply(
        source,
        1,
        ...pieces,
        { path: 'a/b.tsx', text: 'other' },
        { path: 'a', text: 'other' },
      );
      const document = await context.index.document(live, 'a/b.ts');
      expect(document.map(({ content, ordinal }) => [content, ordinal])).toEqual([
        ['part 0', 0],
        ['part 1', 1],
        ['part 2', 2],
      ]);
      expect(document[1]).toEqual({
        chunkId: source.idOf({ path: 'a/b.ts', text: 'part 1', ordinal: 1 }),
        sourceId: source.sourceId,
        path: 'a/b.ts',
        fragment: undefined,
        ordinal: 1,
        startLine: 11,
        endLine: 11,
        content: 'part 1',
        tokenCount: 2,
        symbol: undefined,
        language: 'typescript',
        chunkType: 'code',
      });
      expect(await context.index.document(live, 'missing.ts')).toEqual([]);
    });

    it('outlines a path in order of its chunks, and names definitions without lines', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const place = { kind: 'class', line: 1, column: 7, last_line: 9 } as const;
      const cart = { name: 'Cart', symbol: 'Cart', start_line: 1, end_line: 4, place };
      const total = { name: 'total', symbol: 'Cart.total', start_line: 2, end_line: 3 };
      const live = await context.apply(
        source,
        1,
        { path: 'a.ts', text: 'late', ordinal: 1, defs: ['total'], definitions: [total] },
        { path: 'a.ts', text: 'old', ordinal: 2, defs: ['old', 'total'] },
        { path: 'a.ts', text: 'early', ordinal: 0, defs: ['Cart'], definitions: [cart] },
        { path: 'a.tsx', text: 'other', defs: ['other'] },
      );
      expect(await context.index.outline(live, 'a.ts')).toEqual({
        definitions: [cart, total],
        unplaced: ['old'],
      });
      const nothing = { definitions: [], unplaced: [] };
      expect(await context.index.outline(live, 'missing.ts')).toEqual(nothing);
    });

    it('has every document of a range, and each that may have a required text with chunks', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const live = await context.apply(source, 1, CACHE, RETRY, SOCKET);
      const required = { kind: 'text', text: foldText('the REQUEST') } as const;
      const texts = new Map<string, string>();
      let excluded = 0;
      for await (const read of context.index.documents(live, { required })) {
        if ('excluded' in read) excluded += read.excluded;
        else texts.set(read.path, await textOf(read));
      }
      const paths = [CACHE.path, RETRY.path, SOCKET.path];
      expect([...texts.keys()]).toEqual(paths.filter((path) => texts.has(path)));
      expect(texts.size + excluded).toBe(paths.length);
      expect(texts.get(RETRY.path)).toBe(RETRY.text);
      expect([CACHE.text, undefined]).toContain(texts.get(CACHE.path));
      const last = context.index.documents(live, { from: SOCKET.path });
      for await (const read of last) {
        expect(read).toMatchObject({ path: SOCKET.path, language: 'go' });
        expect('chunks' in read && (await textOf(read))).toBe(SOCKET.text);
      }
      expect(context.index.lacksTrigrams(live)).toBe(false);
    });

    it('lists the ids of exactly the live chunks', async () => {
      const source = new IndexedSource(ONE, uuidOf('s'));
      const packs = [source.pack([CACHE, RETRY], [CACHE.path]), source.pack([SOCKET])];
      await context.index.applyGeneration(source.manifest(1, packs), source.readBlob);
      const ids: string[] = [];
      for await (const id of context.index.chunkIds(source.at(1))) ids.push(id);
      expect(ids.sort()).toEqual([source.idOf(RETRY), source.idOf(SOCKET)].sort());
    });
  });
}
