import { describe, expect, it } from '@jest/globals';

import { TERM_MODEL_HEADER, termModel } from '#test/support/term-model';

import { embedMeaning, meaningEmbedder, type MeaningModel } from './embed-meaning.js';
import { createTermHasher, embedTerms, hashEmbedder } from './hash-ngram.js';

/** One of 16 dimensions. */
const axis = (dimension: number, value = 1): Float32Array =>
  new Float32Array(16).fill(value, dimension, dimension + 1);
const HEADER = { ...TERM_MODEL_HEADER, dimensions: 16, hashedDimensions: 16 };
const VECTORS: readonly (readonly [string, Float32Array])[] = [
  ['erase', axis(0)],
  ['delet', axis(0, 0.8)],
  ['member', axis(1, 0.5)],
  ['common', axis(2, 0.01)],
  ['#<par', axis(4)],
  ['#rser', axis(5)],
];
const model = termModel(VECTORS, HEADER);
const embed = (
  terms: readonly string[],
  frequencies: readonly number[] = terms.map(() => 1),
  by = model,
) => embedMeaning(by, terms, frequencies);
const meant = (vector: Float32Array): number[] =>
  [...vector.subarray(16)].map((value) => Math.round(value * 1e4) / 1e4);
const hashed = (vector: Float32Array): Float32Array => vector.subarray(0, 16);
const norm = (vector: Float32Array): number => Math.hypot(...vector);
const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
const only = (entries: Readonly<Record<number, number>>): number[] =>
  Array.from({ length: 16 }, (_, at) => entries[at] ?? 0);

describe('a model of static term vectors', () => {
  it('puts the hashed part first and the meaning last, at their shares of the squared norm', () => {
    const vector = embed(['erase', 'unheard']);
    expect(vector).toHaveLength(32);
    expect(norm(vector)).toBeCloseTo(1, 6);
    expect(norm(hashed(vector)) ** 2).toBeCloseTo(0.2, 6);
    expect(meant(vector)).toEqual(only({ 0: 0.8944 }));
  });

  it('adds terms up by 1 + ln(frequency) and the weight in their rows', () => {
    // (1 + ln 3) · 1 against 1 · .5, at norm √.8.
    expect(meant(embed(['erase', 'member'], [3, 1]))).toEqual(only({ 0: 0.8701, 1: 0.2073 }));
    expect(meant(embed(['erase', 'common']))).toEqual(only({ 0: 0.8944, 2: 0.0089 }));
  });

  it('finds terms of one meaning alike that share no letters', () => {
    const [a, b, c] = [embed(['erase']), embed(['delet']), embed(['member'])] as const;
    expect(dot(a, b)).toBeGreaterThan(0.7);
    expect(dot(a, c)).toBeLessThan(0.4);
  });

  it('takes an unknown term for the mean of its pieces, ends included', () => {
    expect(meant(embed(['parser']))).toEqual(only({ 4: 0.6325, 5: 0.6325 }));
    expect(meant(embed(['partition']))).toEqual(only({ 4: 0.8944 }));
    // Not at its beginning.
    expect(meant(embed(['sparring']))).toEqual(only({}));
    expect(meant(embed(['erase', 'parser']))).toEqual(only({ 0: 0.7303, 4: 0.3651, 5: 0.3651 }));
  });

  it('is the hashed part alone, at norm 1, when no term is known', () => {
    const vector = embed(['zzz', 'qqqq']);
    expect(meant(vector)).toEqual(only({}));
    expect(norm(hashed(vector))).toBeCloseTo(1, 6);
    const sum = new Float32Array(16);
    createTermHasher(16).addTo(sum, ['zzz', 'qqqq'], [1, 1]);
    expect(dot(sum, hashed(vector)) / norm(sum)).toBeCloseTo(1, 6);
  });

  it('is the zero vector without a term', () => {
    expect(norm(embed([]))).toBe(0);
  });

  it('is its meaning alone where it has no hashed part', () => {
    const alone = termModel([['erase', axis(3)]], { ...HEADER, hashedDimensions: 0, share: 1 });
    expect([...embed(['erase', 'unheard'], [1, 1], alone)]).toEqual([...axis(3)]);
    expect(norm(embed(['unheard'], [1], alone))).toBe(0);
  });

  it('does not show what it remembers, nor that it forgets', () => {
    const forgetful = termModel(VECTORS, HEADER, 3);
    const words = ['parser', 'zo', 'partner', 'eraser', 'z', 'partial', 'parsers', 'serser'];
    for (const [at, word] of [...words, ...words].entries()) {
      const pair = [word, words[(at + 3) % words.length] as string];
      expect(embed(pair, [1, 1], forgetful)).toEqual(embed(pair));
    }
  });

  it('knows terms beyond ASCII, and many of them', () => {
    const many: [string, Float32Array][] = Array.from({ length: 500 }, (_, i) => [
      `größe${i}検索`,
      axis(i % 16),
    ]);
    const large: MeaningModel = termModel(many, HEADER);
    for (const [at, [term]] of many.entries()) {
      expect(large.vectors.has(term)).toBe(true);
      expect(meant(embed([term], [1], large))).toEqual(only({ [at % 16]: 0.8944 }));
    }
    expect(large.vectors.has('größe500検索')).toBe(false);
  });
});

describe('word hashing of other widths', () => {
  it('is hash-ngram-v1 at 512 dimensions', () => {
    const sum = new Float32Array(512);
    createTermHasher(512).addTo(sum, ['parse', 'tree'], [2, 1]);
    const length = norm(sum);
    expect(dot(sum, embedTerms(['parse', 'tree'], [2, 1])) / length).toBeCloseTo(1, 6);
  });

  it('takes each hash modulo its width', () => {
    const { dimensions } = createTermHasher(64).wordVector('parse');
    expect(dimensions).toContain(492650287 % 64);
    expect(Math.max(...dimensions)).toBeLessThan(64);
  });
});

describe('texts over one list of terms', () => {
  it('have the vectors that they have alone, however often rows are forgotten', () => {
    const words = [
      'erase',
      'parser',
      'zo',
      'member',
      'partner',
      'zzz',
      'eraser',
      'partial',
      'common',
      'parsers',
    ];
    for (const remembered of [2, 1_000]) {
      const terms: string[] = [];
      const by = termModel(VECTORS, HEADER, remembered);
      const embedPlaces = meaningEmbedder(by, terms);
      for (let nth = 0; nth < 30; nth++) {
        if (nth < words.length) terms.push(words[nth] as string);
        const places = [
          nth % terms.length,
          (nth * 3 + 1) % terms.length,
          (nth * 7 + 2) % terms.length,
        ];
        const frequencies = [1, 3, 200];
        const alone = places.map((place) => terms[place] as string);
        expect(embedPlaces(places, frequencies)).toEqual(embed(alone, frequencies));
      }
    }
  });

  it('have those of plain word hashing too', () => {
    const terms = ['parse', 'tree', 'größe'];
    expect(hashEmbedder(terms)([2, 0], [1, 5])).toEqual(embedTerms(['größe', 'parse'], [1, 5]));
  });

  it('are hashed alike when more words came than are kept', () => {
    const hasher = createTermHasher(16, 10);
    const words = Array.from({ length: 25 }, (_, at) => `word${at}`);
    const first = words.map((word) => createTermHasher(16).wordVector(word));
    expect([...words, ...words].map((word) => hasher.wordVector(word))).toEqual([
      ...first,
      ...first,
    ]);
    expect(hasher.forgotten).toBe(4);
  });
});
