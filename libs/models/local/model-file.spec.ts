import { crc32 } from 'node:zlib';

import { describe, expect, it } from '@jest/globals';

import { ANALYZER_ID, TermVectors } from '#retrieval';
import { TERM_MODEL_HEADER, termModelFile } from '#test/support/term-model';

import { decodeModelFile, encodeModelFile } from './model-file.js';
import { ModelFileError } from './model-file-header.js';

const HEADER = { ...TERM_MODEL_HEADER, dimensions: 16 };
const vector = (...values: number[]): Float32Array =>
  Float32Array.from({ length: 16 }, (_, at) => values[at] ?? 0);
const VECTORS: readonly (readonly [string, Float32Array])[] = [
  ['member', vector(0.5, -0.25, 0.125)],
  ['#<mem', vector(0, 0, 3)],
  ['größe', vector(-1, 1)],
];
const RANKING = {
  weights: { lexical: 0.5, semantic: 0.5 },
  similarityFloor: 0.2,
  similarityRange: { low: 0, high: 1 },
};
const bytes = encodeModelFile(HEADER, VECTORS);

function refusal(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof ModelFileError) return error.message;
    throw error;
  }
  throw new Error('nothing was rejected');
}
const withWord = (at: number, value: number): Uint8Array => {
  const copy = bytes.slice();
  new DataView(copy.buffer).setUint32(at, value, true);
  return copy;
};

describe('a model file', () => {
  it('returns its header and each vector, within half a step of its scale', () => {
    const { header, tables } = decodeModelFile(bytes);
    expect(header).toEqual(HEADER);
    const vectors = new TermVectors(tables);
    for (const [key, stored] of VECTORS) {
      expect(vectors.has(key)).toBe(true);
      if (key.startsWith('#')) continue;
      const read = new Float32Array(16);
      vectors.sumInto(read, [key], [1]);
      const step = Math.max(...stored.map(Math.abs)) / 127;
      read.forEach((value, at) =>
        expect(Math.abs(value - (stored[at] as number))).toBeLessThanOrEqual(step / 2 + 1e-6),
      );
    }
    expect(['membe', 'members', '<mem', ''].filter((key) => vectors.has(key))).toEqual([]);
  });

  it('preserves other fields of its header', () => {
    const about = { terms: 3, made: '2031-01-01', ranking: { ...RANKING } };
    expect(decodeModelFile(encodeModelFile({ ...HEADER, ...about }, VECTORS)).header).toEqual({
      ...HEADER,
      ...about,
    });
  });

  it('has the same bytes for vectors in any order', () => {
    expect(encodeModelFile(HEADER, VECTORS.toReversed())).toEqual(bytes);
  });

  it('is read in place within other bytes, aligned or not', () => {
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);
    expect(decodeModelFile(shifted.subarray(1)).tables).toEqual(decodeModelFile(bytes).tables);
  });

  it('detects every damaged byte', () => {
    // Bytes between sections have no meaning; everything else is under one of the checks.
    const { sections, body } = layoutOf(bytes);
    const places = [
      0,
      4,
      8,
      12,
      20,
      ...sections.flatMap(([offset, length]) => [body + offset, body + offset + length - 1]),
    ];
    for (const at of places) {
      const damaged = bytes.slice();
      damaged[at] = (damaged[at] as number) ^ 0x40;
      expect([at, refusal(() => decodeModelFile(damaged))]).toEqual([
        at,
        expect.stringMatching(/damaged|not a model|format/),
      ]);
    }
    for (let length = 0; length < bytes.length; length += 7) {
      expect(refusal(() => decodeModelFile(bytes.subarray(0, length)))).toMatch(
        /damaged|not a model/,
      );
    }
  });

  it('is rejected without its sections', () => {
    const json = Buffer.from(JSON.stringify(HEADER));
    const file = new Uint8Array(16 + json.length);
    file.set(new Uint8Array(Uint32Array.of(0x564d4e46, 1, json.length, crc32(json)).buffer));
    file.set(json, 16);
    expect(refusal(() => decodeModelFile(file))).toBe('is damaged: it has no keys');
  });

  it.each([
    ['nothing', new Uint8Array(0), 'is not a model file: it is too short'],
    [
      'a text',
      Buffer.from('# Not a model, and longer than a preamble'),
      'is not a model file: it does not begin as one',
    ],
    ['a later format', withWord(4, 2), 'is of format 2; this version reads 1'],
    [
      'terms of another analyzer',
      encodeModelFile({ ...HEADER, analyzer: 'code-en-v9' }, VECTORS),
      `is of terms of the analyzer code-en-v9, but this version's is ${ANALYZER_ID}`,
    ],
  ])('rejects %s', (_, foreign, sentence) => {
    expect(refusal(() => decodeModelFile(foreign))).toBe(sentence);
  });

  it.each([
    ['id', { id: 'Meaning v1' }],
    ['licence', { licence: '' }],
    ['origin', { origin: undefined }],
    ['dimensions', { dimensions: 100 }],
    ['dimensions', { dimensions: 0 }],
    ['hashedDimensions', { hashedDimensions: -16 }],
    ['share', { share: 0 }],
    ['share', { share: Number.NaN }],
    ['share', { hashedDimensions: 0, share: 0.8 }],
    ['pieceSizes', { pieceSizes: [3, 0] }],
    ['ranking', { ranking: { ...RANKING, weights: { lexical: 0.5, semantic: 0.7 } } }],
    ['ranking', { ranking: {} }],
    ['ranking', { ranking: { ...RANKING, questionCosines: { neutral: 0, deviation: -0.1 } } }],
    ['ranking', { ranking: { ...RANKING, questionCosines: { deviation: 0.1 } } }],
  ])('is not written with a bad %s: %j', (name, change) => {
    const header = { ...HEADER, ...change } as typeof HEADER;
    expect(refusal(() => encodeModelFile(header, []))).toBe(
      `has a header whose ${name} no model can have`,
    );
  });

  it.each([
    ['a key twice', [...VECTORS, ['member', vector(1)] as const], 'has the key "member" twice'],
    ['an empty key', [['', vector(1)] as const], 'has an empty key'],
    [
      'a narrow vector',
      [['a', new Float32Array(8).fill(1)] as const],
      'has no 16 finite numbers, not all zero, for "a"',
    ],
    [
      'a zero vector',
      [['a', vector()] as const],
      'has no 16 finite numbers, not all zero, for "a"',
    ],
    [
      'a vector with NaN',
      [['a', vector(1, Number.NaN)] as const],
      'has no 16 finite numbers, not all zero, for "a"',
    ],
  ])('is not written with %s', (_, vectors, sentence) => {
    expect(refusal(() => encodeModelFile(HEADER, vectors))).toBe(sentence);
  });

  it('can be created from texts alone', () => {
    const { tables } = decodeModelFile(
      termModelFile(['erase the member', 'erase the account', 'paint the wall']),
    );
    expect(new TermVectors(tables).has('eras')).toBe(true);
    expect(new TermVectors(tables).has('paint')).toBe(false);
  });
});

function layoutOf(file: Uint8Array): { sections: [number, number, number][]; body: number } {
  const length = new DataView(file.buffer).getUint32(8, true);
  const json = JSON.parse(Buffer.from(file.subarray(16, 16 + length)).toString()) as {
    sections: Record<string, [number, number, number]>;
  };
  return { sections: Object.values(json.sections), body: Math.ceil((16 + length) / 16) * 16 };
}
