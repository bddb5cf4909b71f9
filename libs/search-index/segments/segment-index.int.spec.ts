import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { Manifest } from '#contracts';
import type { IndexedDocument, SearchIndex } from '#search-index';
import { searchIndexContract } from '#test/contracts/search-index.contract';
import { IndexedSource, uuidOf } from '#test/support/indexed-source';
import { tempDir } from '#test/support/temp-dir';

import { decodeHeader } from '../pack/sections.js';
import { StoredDocumentReader } from '../pack/stored-document-reader.js';
import { openSegmentIndex } from './segment-index.js';

for (const threads of [0, 2]) {
  searchIndexContract(`segments, searched by ${threads} threads`, async () => {
    const folder = tempDir('footnote-segments-');
    let index = await openSegmentIndex({ directory: folder.path, threads });
    return {
      index,
      async reopen() {
        await index.close();
        return (index = await openSegmentIndex({ directory: folder.path, threads }));
      },
      async dispose() {
        await index.close();
        folder.remove();
      },
    };
  });
}

describe('segment files', () => {
  const tenant = uuidOf('tenant');
  const sketch = { path: 'a.ts', text: 'evict the oldest entry' };
  let folder: ReturnType<typeof tempDir>;
  let index: SearchIndex;
  let source: IndexedSource;

  beforeEach(async () => {
    folder = tempDir('footnote-segments-');
    index = await openSegmentIndex({ directory: folder.path });
    source = new IndexedSource(tenant, uuidOf('source'));
    await index.applyGeneration(source.manifest(1, [source.pack([sketch])]), source.readBlob);
  });
  afterEach(async () => {
    await index.close();
    folder.remove();
  });

  const segments = (): string[] => readdirSync(join(folder.path, tenant, 'segments'));
  const segmentFile = (): string => join(folder.path, tenant, 'segments', segments()[0] as string);

  it('are removed when no generation names them any more', async () => {
    await index.applyGeneration(source.manifest(2, [source.pack([sketch])]), source.readBlob);
    await index.dropGeneration(tenant, source.sourceId, 1);
    expect(segments()).toHaveLength(1);
    await index.dropGeneration(tenant, source.sourceId, 2);
    expect(segments()).toEqual([]);
  });

  it('are rewritten from the pack if one is damaged, cut off or of an unknown format', async () => {
    const whole = readFileSync(segmentFile());
    const damages = [
      (bytes: Buffer) => bytes.subarray(0, 100),
      (bytes: Buffer) => bytes.subarray(0, bytes.length - 600),
      (bytes: Buffer) => Buffer.from(bytes).fill(7, 4, 8),
      (bytes: Buffer) => Buffer.from(bytes).fill(0xff, 1_500, 1_504),
      () => Buffer.alloc(0),
    ];
    for (const damage of damages) {
      await index.close();
      writeFileSync(segmentFile(), damage(whole));
      index = await openSegmentIndex({ directory: folder.path, readBlob: source.readBlob });
      expect(await index.generations()).toEqual([source.at(1)]);
      expect(readFileSync(segmentFile()).equals(whole)).toBe(true);
    }
  });

  it('without a pack for the repair are reported as lost and must be applied again', async () => {
    await index.close();
    writeFileSync(segmentFile(), 'rubbish');
    const lost: unknown[] = [];
    index = await openSegmentIndex({ directory: folder.path, onLost: (live) => lost.push(live) });
    expect(lost).toEqual([source.at(1)]);
    expect(await index.generations()).toEqual([]);
    await index.applyGeneration(source.manifest(1, [source.pack([sketch])]), source.readBlob);
    expect(await index.contents(source.at(1), [source.idOf(sketch)])).toEqual([sketch.text]);
  });

  it('left by a crash are removed at start', async () => {
    await index.close();
    writeFileSync(join(folder.path, tenant, 'segments', 'ab12.tmp'), 'half');
    writeFileSync(join(folder.path, tenant, 'segments', 'cd34'), 'nobody names it');
    index = await openSegmentIndex({ directory: folder.path });
    expect(segments()).toHaveLength(1);
    expect(existsSync(segmentFile())).toBe(true);
  });

  it('are all rewritten by a rebuild: damaged ones, missing ones, and missing records', async () => {
    const other = new IndexedSource(tenant, uuidOf('other'));
    const sketches = { mine: sketch, theirs: { path: 'b.ts', text: 'quite another text' } };
    const manifests = [
      source.manifest(1, [source.pack([sketch])]),
      other.manifest(4, [other.pack([sketches.theirs])]),
    ];
    await index.applyGeneration(manifests[1] as Manifest, other.readBlob);
    const whole = new Map(
      segments().map((hash) => [hash, readFileSync(join(folder.path, tenant, 'segments', hash))]),
    );
    for (const [hash, bytes] of whole) {
      writeFileSync(
        join(folder.path, tenant, 'segments', hash),
        Buffer.from(bytes).fill(0xff, bytes.length - 600),
      );
    }
    rmSync(join(folder.path, tenant, 'generations', `${other.sourceId}.4.json`));
    const beside = await index.buildBeside();
    await beside.applyGeneration(manifests[0] as Manifest, source.readBlob);
    await beside.applyGeneration(manifests[1] as Manifest, other.readBlob);
    expect(await index.contents(source.at(1), []).catch(() => 'refused')).toEqual([]);
    expect(await beside.show(() => true)).toBe(true);
    expect(await index.contents(source.at(1), [source.idOf(sketch)])).toEqual([sketch.text]);
    const [build = ''] = readdirSync(join(folder.path, 'builds'));
    const served = join(folder.path, 'builds', build, tenant, 'segments');
    expect(readdirSync(served).sort()).toEqual([...whole.keys()].sort());
    for (const [hash, bytes] of whole)
      expect(readFileSync(join(served, hash)).equals(bytes)).toBe(true);
    expect(readdirSync(folder.path).sort()).toEqual(['builds', 'serving']);
    await index.close();
    // No blobs: the opened files are those of the build.
    index = await openSegmentIndex({ directory: folder.path });
    expect(await index.generations()).toHaveLength(2);
    expect(await index.contents(other.at(4), [other.idOf(sketches.theirs)])).toEqual([
      sketches.theirs.text,
    ]);
  });

  it('of a build that a crash ended before or after its switch are removed at the next start', async () => {
    const beside = await index.buildBeside();
    await beside.applyGeneration(source.manifest(1, [source.pack([sketch])]), source.readBlob);
    await index.close();
    expect(readdirSync(join(folder.path, 'builds'))).toHaveLength(1);
    index = await openSegmentIndex({ directory: folder.path });
    expect(readdirSync(join(folder.path, 'builds'))).toEqual([]);
    expect(await index.contents(source.at(1), [source.idOf(sketch)])).toEqual([sketch.text]);

    const old = tempDir('footnote-old-');
    cpSync(join(folder.path, tenant), join(old.path, tenant), { recursive: true });
    const again = await index.buildBeside();
    await again.applyGeneration(source.manifest(1, [source.pack([sketch])]), source.readBlob);
    await again.show(() => true);
    await index.close();
    cpSync(old.path, folder.path, { recursive: true });
    old.remove();
    index = await openSegmentIndex({ directory: folder.path });
    expect(readdirSync(folder.path).sort()).toEqual(['builds', 'serving']);
    expect(await index.contents(source.at(1), [source.idOf(sketch)])).toEqual([sketch.text]);
  });

  it('never return text of a damaged block: it is repaired from the pack, or rejected', async () => {
    await index.close();
    const whole = readFileSync(segmentFile());
    const bytes = Buffer.from(whole);
    // The text is the last section; its end is padding.
    bytes.fill(0xff, bytes.length - 30, bytes.length - 12);
    writeFileSync(segmentFile(), bytes);
    index = await openSegmentIndex({ directory: folder.path, readBlob: source.readBlob });
    expect(await index.contents(source.at(1), [source.idOf(sketch)])).toEqual([sketch.text]);
    expect(readFileSync(segmentFile()).equals(whole)).toBe(true);
    await index.close();
    writeFileSync(segmentFile(), bytes);
    index = await openSegmentIndex({ directory: folder.path });
    await expect(index.contents(source.at(1), [source.idOf(sketch)])).rejects.toMatchObject({
      code: 'engine_unavailable',
    });
  });

  it('fail a read of a damaged text in a thread, and are repaired by the index', async () => {
    const whole = readFileSync(segmentFile());
    const [offset = 0] = decodeHeader(whole).sections['text'] ?? [];
    const bytes = Buffer.from(whole).fill(0xff, offset, offset + 8);
    await index.close();
    writeFileSync(segmentFile(), bytes);
    index = await openSegmentIndex({ directory: folder.path, readBlob: source.readBlob });
    const documents = index.documents(source.at(1))[Symbol.asyncIterator]();
    const { value } = (await documents.next()) as { value: IndexedDocument };
    const { stored, chunks } = value;
    if (!stored) throw new Error('the text has no place');
    const reader = new StoredDocumentReader();
    const read = () => reader.reading(() => reader.read(stored));
    expect(read).toThrow('cannot be decompressed');
    expect(await chunks()).toMatchObject([{ content: sketch.text }]);
    expect(read()).toMatchObject({ pieces: [{ content: sketch.text }] });
    await index.dropGeneration(tenant, source.sourceId, 1);
    expect(() => new StoredDocumentReader().read(stored)).toThrow('cannot be opened');
  });

  describe('with a required text', () => {
    const required = { kind: 'text', text: 'OLDEST' } as const;
    const [other, far] = [
      { path: 'b.ts', text: 'unrelated' },
      { path: 'c.ts', text: 'far oldest' },
    ];
    /** Documents of a generation that are returned with chunks. */
    const withChunks = async (generation: number): Promise<string[]> => {
      const paths: string[] = [];
      for await (const read of index.documents(source.at(generation), { required }))
        if ('path' in read) paths.push(read.path);
      return paths;
    };

    it('return only documents that may have it, whatever pack and drops', async () => {
      const packs = [source.pack([sketch, other, far], ['a.ts']), source.pack([sketch])];
      await index.applyGeneration(source.manifest(2, packs), source.readBlob);
      expect(await withChunks(2)).toEqual(['a.ts', 'c.ts']);
    });

    it.each([
      ['none may have it', [other, { ...other, path: 'd.ts' }], [], 2],
      ['none may have it and one is dropped', [other, { ...other, path: 'd.ts' }], ['d.ts'], 1],
      ['some may have it', [other, far, { ...other, path: 'd.ts' }], [], 2],
    ])('count the other documents where %s', async (_, sketches, drops, expected) => {
      const packs = [source.pack(sketches, drops)];
      await index.applyGeneration(source.manifest(2, packs), source.readBlob);
      let excluded = 0;
      for await (const read of index.documents(source.at(2), { required }))
        if ('excluded' in read) excluded += read.excluded;
      expect(excluded).toBe(expected);
      // A continued search begins at a path.
      let rest = 0;
      for await (const read of index.documents(source.at(2), { required, from: 'd.ts' }))
        if ('excluded' in read) rest += read.excluded;
      expect(rest).toBe(1 - drops.length);
    });

    it('return a document of which several packs have chunks', async () => {
      const packs = [0, 1].map((ordinal) => source.pack([{ ...other, ordinal }]));
      await index.applyGeneration(source.manifest(2, packs), source.readBlob);
      expect(await withChunks(2)).toEqual(['b.ts']);
    });

    it('return every document of a pack without trigrams', async () => {
      const pack = source.packWithout(['trigram_table', 'trigrams'], [sketch, other]);
      await index.applyGeneration(source.manifest(2, [pack]), source.readBlob);
      expect(await withChunks(2)).toEqual(['a.ts', 'b.ts']);
      expect(index.lacksTrigrams(source.at(2))).toBe(true);
    });

    it('repair damaged trigrams from the pack', async () => {
      await index.close();
      const whole = readFileSync(segmentFile());
      const [offset = 0] = decodeHeader(whole).sections['trigrams'] ?? [];
      const bytes = Buffer.from(whole);
      bytes.fill(0xff, offset, offset + 20);
      writeFileSync(segmentFile(), bytes);
      index = await openSegmentIndex({ directory: folder.path, readBlob: source.readBlob });
      expect(await withChunks(1)).toEqual(['a.ts']);
      expect(readFileSync(segmentFile()).equals(whole)).toBe(true);
    });
  });

  it('reject ids that would leave the folder', async () => {
    const evil = new IndexedSource('../evil', uuidOf('source'));
    const applied = index.applyGeneration(evil.manifest(1, [evil.pack([sketch])]), evil.readBlob);
    await expect(applied).rejects.toThrow('not an id');
  });

  it('keep vectors of many small segments side by side', async () => {
    const sources = Array.from(
      { length: 40 },
      (_, i) => new IndexedSource(tenant, uuidOf('many', i)),
    );
    for (const [i, each] of sources.entries()) {
      await index.applyGeneration(
        each.manifest(1, [each.pack([{ path: 'x.ts', text: `word${i} beta` }])]),
        each.readBlob,
      );
    }
    for (const each of sources.slice(0, 20)) await index.dropGeneration(tenant, each.sourceId, 1);
    const kept = sources.slice(20);
    const live = kept.map((each) => each.at(1));
    const { candidates } = await index.candidates({
      tenants: [tenant],
      scope: live,
      corpus: live,
      terms: ['beta'],
      vectorFor: async () => new Float32Array(512).fill(1 / Math.sqrt(512)),
      identifiers: [],
      limit: 200,
    });
    expect(candidates.map(({ sourceId }) => sourceId).sort()).toEqual(
      kept.map(({ sourceId }) => sourceId).sort(),
    );
  });
});
