import { describe, expect, it } from '@jest/globals';

import type { SourceChunk } from '#contracts';
import { ANALYZER_ID, HASH_NGRAM_ID, weighTerms, WORD_HASHING } from '#retrieval';
import { IndexedSource, uuidOf } from '#test/support/indexed-source';

import { analyzeChunks } from './analyze-chunks.js';
import { decodePart, encodePart, withVectors } from './analyzed-part.js';
import { buildPack } from './build-pack.js';
import { markDropped } from './dropped-bitmap.js';
import { invertDefinitions, type PackedChunk } from './invert-chunks.js';
import { mergePacks } from './merge-packs.js';
import type { PackMeta } from './pack-layout.js';
import { readPack } from './read-pack.js';
import { decodeHeader } from './sections.js';

const source = new IndexedSource(uuidOf('tenant'), uuidOf('source'));
const META = {
  tenant_id: source.tenantId,
  source_id: source.sourceId,
  analyzer: ANALYZER_ID,
  embedder: { id: HASH_NGRAM_ID, dimensions: 512 },
};

/** Chunks of some documents with shared and own words, beyond ASCII too, in no particular order. */
const CHUNKS: readonly SourceChunk[] = Array.from({ length: 60 }, (_, i) => {
  const path = ['src/b.ts', 'src/a.ts', 'ö/ü.ts', '\u{1f600}.ts', '\uff21.ts'][i % 5] as string;
  const ordinal = Math.floor(i / 5);
  return {
    ...source.chunk({
      path,
      ordinal,
      text: `shared word${i % 7} únique${i}\n${'body '.repeat(i)}`,
      defs: [`def${i % 4}`, `d${i}`],
    }),
    ...(i % 2 === 0 && { symbol: `Type.d${i}` }),
    ...(i % 4 === 1 && { fragment: `#place-${i % 8}` }),
    ...(i % 4 === 0 && {
      definitions: [
        { name: `def${i % 4}`, symbol: `Own${i}.def${i % 4}`, start_line: i + 1, end_line: i + 2 },
        {
          name: `d${i}`,
          symbol: `Type.d${i}`,
          start_line: i + 3,
          end_line: 999_999,
          place: { kind: 'method', line: i + 3, column: 70_000, last_line: 1_000_000 + i },
        },
      ],
    }),
    ...(i % 5 === 0 && {
      members: [
        { name: 'size', parent: `Type${i}`, kind: 'property', line: i, column: 3, last_line: 9 },
        { name: `f${i}`, parent: 'A.B', kind: 'constant', line: 7, column: 70_000, last_line: 7 },
      ],
    }),
    ...(i % 3 === 0 && { endpoint_key: `GET /${i}`, schema_hash: `hash${i}` }),
  };
});
const NOTED: SourceChunk = source.chunk({
  path: 'src/noted.ts',
  text: 'function noted() {}',
  defs: ['noted'],
  definitions: [{ name: 'noted', symbol: 'noted', start_line: 1, end_line: 1 }],
});
const inOrder = [...CHUNKS].sort(
  (a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)) || a.ordinal - b.ordinal,
);
const analyzed = (chunks: readonly SourceChunk[]) => analyzeChunks(chunks, WORD_HASHING);
const whole = buildPack([analyzed(CHUNKS)], META);

describe('a pack', () => {
  it('returns each chunk unchanged, in order of path and ordinal', () => {
    const pack = readPack(whole.bytes);
    expect(Array.from({ length: whole.chunkCount }, (_, i) => pack.chunk(i))).toEqual(inOrder);
  });

  it('has the same bytes however the chunks were divided into parts', () => {
    const parts = [CHUNKS.slice(0, 7), CHUNKS.slice(40), CHUNKS.slice(7, 40)].map(analyzed);
    expect(Buffer.compare(buildPack(parts, META).bytes, whole.bytes)).toBe(0);
  });

  it('without a fragment is like older packs, and both kinds are read and merged', () => {
    const without = CHUNKS.filter(({ fragment }) => fragment === undefined);
    const plain = buildPack([analyzed(without)], META);
    const { meta, sections } = decodeHeader<PackMeta>(plain.bytes);
    expect([
      Object.keys(meta).includes('fragments'),
      Object.keys(sections).includes('chunk_fragments'),
    ]).toEqual([false, false]);
    expect(Object.keys(decodeHeader(whole.bytes).sections)).toContain('chunk_fragments');
    const marked = buildPack(
      [analyzed(CHUNKS.filter(({ fragment }) => fragment !== undefined))],
      META,
    );
    const merged = mergePacks([{ pack: readPack(plain.bytes) }, { pack: readPack(marked.bytes) }]);
    expect(Buffer.compare(merged.bytes, whole.bytes)).toBe(0);
  });

  it('of chunks without lines of definitions is like packs of older versions', () => {
    const before = CHUNKS.map(withoutDefinitions);
    const old = buildPack([analyzed(before)], META);
    const sectionsOf = (bytes: Uint8Array) => Object.keys(decodeHeader(bytes).sections);
    const added = sectionsOf(whole.bytes).filter((name) => !sectionsOf(old.bytes).includes(name));
    expect(added.filter((name) => name.startsWith('definition'))).toEqual(
      [
        ...['offsets', 'names', 'symbols', 'starts', 'ends'],
        ...['kinds', 'lines', 'columns', 'last_lines'],
      ].map((name) => `definition_${name}`),
    );
    const pack = readPack(old.bytes);
    expect(pack.chunk(0)).not.toHaveProperty('definitions');
    const merged = mergePacks([
      { pack },
      { pack: readPack(buildPack([analyzed([NOTED])], META).bytes) },
    ]);
    const all = readPack(merged.bytes);
    const chunks = Array.from({ length: merged.chunkCount }, (_, i) => all.chunk(i));
    expect(chunks.filter(({ definitions }) => definitions).map(({ path }) => path)).toEqual([
      NOTED.path,
    ]);
    expect(chunks.filter(({ path }) => path !== NOTED.path)).toHaveLength(before.length);
  });

  it('finds the chunks with a member by its name, and is smaller without any', () => {
    const { tables } = readPack(whole.bytes);
    const at = (index: number) => inOrder.indexOf(CHUNKS[index] as SourceChunk);
    const every5th = Array.from({ length: 12 }, (_, i) => at(5 * i)).sort((a, b) => a - b);
    expect([...tables.chunksWithMember('size')]).toEqual(every5th);
    expect([...tables.chunksWithMember('f10')]).toEqual([at(10)]);
    for (const name of ['f1', 'd10', 'Type10', 'never', 'zzz'])
      expect([...tables.chunksWithMember(name)]).toEqual([]);
    const all = [...tables.membersByName()].map(({ name, chunks }) => {
      return [tables.strings.at(name), [...chunks()]] as const;
    });
    expect(all).toHaveLength(13);
    expect(new Map(all).get('size')).toEqual(every5th);
    const plain = buildPack([analyzed(CHUNKS.map(withoutMembers))], META);
    const { sections } = decodeHeader(plain.bytes);
    expect(Object.keys(sections).filter((name) => name.startsWith('member'))).toEqual([]);
    const old = readPack(plain.bytes).tables;
    expect([...old.membersByName(), ...old.chunksWithMember('size')]).toEqual([]);
  });

  it('returns the text around chunks, also after a merge with a pack of older versions', () => {
    const around = CHUNKS.map((chunk, i): SourceChunk => {
      const isLast = i >= CHUNKS.length - 5;
      return { ...chunk, before: '\r\n'.repeat(i), ...(isLast && { after: '\n' }) };
    });
    const old = { pack: readPack(buildPack([analyzed([NOTED])], META).bytes) };
    expect(old.pack.tables.gap(0)).toEqual({});
    const now = { pack: readPack(buildPack([analyzed(around)], META).bytes) };
    const all = readPack(mergePacks([old, now]).bytes);
    const chunks = Array.from({ length: all.meta.chunks }, (_, i) => all.chunk(i));
    const byId = (a: SourceChunk, b: SourceChunk) => (a.chunk_id < b.chunk_id ? -1 : 1);
    expect(chunks.sort(byId)).toEqual([...around, NOTED].sort(byId));
  });

  it('numbers more gaps than a byte has', () => {
    const many = Array.from({ length: 300 }, (_, i): SourceChunk => {
      const chunk = source.chunk({ path: 'a.ts', ordinal: i, text: `text${i}` });
      return { ...chunk, before: '\n'.repeat(i) };
    });
    const pack = readPack(buildPack([analyzed(many)], META).bytes);
    expect(many.map((_, i) => pack.chunk(i))).toEqual(many);
  });

  it('is the same after its parts were encoded', () => {
    const stored = [CHUNKS.slice(0, 30), CHUNKS.slice(30)].map((chunks) =>
      decodePart(encodePart(analyzed(chunks))),
    );
    expect(Buffer.compare(buildPack(stored, META).bytes, whole.bytes)).toBe(0);
  });

  it('returns the chunks of each document', () => {
    expect(whole.documents.map(({ path }) => path)).toEqual([
      ...new Set(inOrder.map(({ path }) => path)),
    ]);
    expect(whole.documents.map(({ first, chunks }) => [first, chunks])).toEqual(
      [0, 12, 24, 36, 48].map((first) => [first, 12]),
    );
  });

  it('has the weighted terms of every chunk, and its length', () => {
    const pack = readPack(whole.bytes);
    const { tables } = pack;
    const { offsets, termIds, frequencies } = pack.forwardTerms();
    inOrder.forEach((chunk, i) => {
      const weighed = weighTerms(chunk);
      const expected = weighed.terms.map((term, at) => [term, weighed.frequencies[at]]).sort();
      const [from, to] = [offsets[i] as number, offsets[i + 1] as number];
      const found = Array.from(termIds.subarray(from, to), (id, at) => [
        tables.terms.at(id),
        frequencies[from + at],
      ]);
      expect(found.sort()).toEqual(expected);
      expect(tables.lengths[i]).toBe(weighed.length);
    });
    expect(tables.meta.total_length).toBe(
      inOrder.reduce((sum, chunk) => sum + weighTerms(chunk).length, 0),
    );
  });

  it('finds chunks by id, by path and by the names they define', () => {
    const { tables } = readPack(whole.bytes);
    inOrder.forEach(({ chunk_id }, i) => expect(tables.findChunk(chunk_id)).toBe(i));
    expect(tables.findChunk(uuidOf('other'))).toBe(-1);
    expect(tables.document('\uff21.ts')).toEqual({ first: 36, end: 48 });
    expect(tables.document('src')).toEqual({ first: 0, end: 0 });
    const definers = inOrder.flatMap(({ defs }, i) => (defs.includes('def3') ? [i] : []));
    expect(Array.from(tables.definers('def3'))).toEqual(definers);
    expect(Array.from(tables.definers('únique3'))).toEqual([]);
  });

  it('contains a name that very many chunks define', () => {
    const { chunks, ...part } = analyzed([CHUNKS[0] as SourceChunk]);
    const many = Array.from({ length: 200_000 }, (_, ordinal) => ({
      ...chunks[0],
      ordinal,
      defs: ['init'],
    }));
    const packed = many.map((chunk, index) => ({
      part: { ...part, chunks: many },
      index,
      chunk,
    })) as PackedChunk[];
    const inverted = invertDefinitions(packed, new Map([['init', 7]]));
    expect(Array.from(inverted.definedOffsets)).toEqual([0, 200_000]);
  });

  it('may be empty', () => {
    const empty = buildPack([], META);
    expect(empty.chunkCount).toBe(0);
    expect(readPack(empty.bytes).tables.findChunk(uuidOf('x'))).toBe(-1);
  });

  it('detects every damage', () => {
    for (const at of [0, 5, 20, 400, 2_000, whole.bytes.length >> 1]) {
      const bytes = whole.bytes.slice();
      bytes[at] = (bytes[at] as number) ^ 0xff;
      expect(() => readPack(bytes)).toThrow(expect.objectContaining({ name: 'BadSectionsError' }));
    }
    expect(() => readPack(whole.bytes.subarray(0, -2_000))).toThrow('cut off');
  });

  it('rejects parts of another analyzer or model, or without vectors', () => {
    const part = analyzed(CHUNKS);
    expect(() => buildPack([{ ...part, analyzer: 'other' }], META)).toThrow(
      'a part must be analyzed by',
    );
    expect(() =>
      buildPack([part], { ...META, embedder: { id: 'other', dimensions: 512 } }),
    ).toThrow('embedded by');
    expect(() => buildPack([analyzeChunks(CHUNKS, null)], META)).toThrow('no vectors');
  });

  it('accepts vectors of a remote embedder', () => {
    const part = analyzeChunks(CHUNKS, null);
    const values = Int8Array.from({ length: CHUNKS.length * 16 }, (_, i) => i);
    const vectors = {
      embedderId: 'remote',
      dimensions: 16,
      values,
      scales: new Float32Array(CHUNKS.length).fill(0.5),
    };
    expect(() => withVectors(part, { ...vectors, scales: new Float32Array(1) })).toThrow(
      'one per chunk',
    );
    const built = buildPack([decodePart(encodePart(withVectors(part, vectors)))], {
      ...META,
      embedder: { id: 'remote', dimensions: 16 },
    });
    const first = CHUNKS.indexOf(inOrder[0] as SourceChunk);
    expect(Array.from(readPack(built.bytes).vectors.subarray(0, 16))).toEqual(
      Array.from(values.subarray(first * 16, first * 16 + 16)),
    );
  });
});

describe('mergePacks', () => {
  it('returns the pack of indexing the remaining chunks together', () => {
    const packs = [CHUNKS.slice(0, 25), CHUNKS.slice(25)].map((chunks) =>
      readPack(buildPack([analyzed(chunks)], META).bytes),
    );
    const merged = mergePacks(
      packs.map((pack) => ({
        pack,
        dropped: markDropped(undefined, pack.meta.chunks, [0, 3, 20]),
      })),
    );
    const gone = new Set(
      packs.flatMap((pack) => [0, 3, 20].map((chunk) => pack.tables.chunkId(chunk))),
    );
    const survivors = CHUNKS.filter(({ chunk_id }) => !gone.has(chunk_id));
    expect(Buffer.compare(merged.bytes, buildPack([analyzed(survivors)], META).bytes)).toBe(0);
  });

  it('never mixes sources', () => {
    const other = buildPack([analyzed(CHUNKS)], { ...META, tenant_id: uuidOf('other') });
    expect(() =>
      mergePacks([{ pack: readPack(whole.bytes) }, { pack: readPack(other.bytes) }]),
    ).toThrow('the same source');
  });
});

function withoutDefinitions(chunk: SourceChunk): SourceChunk {
  const copy: SourceChunk & { definitions?: unknown } = { ...chunk };
  delete copy.definitions;
  return copy;
}

function withoutMembers(chunk: SourceChunk): SourceChunk {
  const copy: SourceChunk & { members?: unknown } = { ...chunk };
  delete copy.members;
  return copy;
}
