import { createHash } from 'node:crypto';

import { describe, expect, it } from '@jest/globals';

import { embedTerms, featureHash, wordVector } from './hash-ngram.js';
import { quantize } from './quantize.js';

const norm = (vector: Float32Array): number => Math.hypot(...vector);
const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, value, i) => sum + value * (b[i] as number), 0);
const embed = (...terms: string[]): Float32Array =>
  embedTerms(terms, new Uint8Array(terms.length).fill(1));

describe('hash-ngram-v1', () => {
  it.each([
    ['parse', 1, 492650287, 303, 1],
    ['parse', 7920, 1871592259, 323, -1],
    ['#<pa', 1, 2892883291, 347, 1],
    ['#arse>', 15839, 2732213925, 165, -1],
  ])('hashes %s with seed %d to its golden value', (text, seed, hash, dimension, sign) => {
    expect(featureHash(text, seed)).toBe(hash);
    expect(hash % 512).toBe(dimension);
    expect(hash & 0x10000 ? 1 : -1).toBe(sign);
  });

  it('adds the hashed features up with their signs', () => {
    const { dimensions, values } = wordVector('parse');
    const at = (dimension: number): number => values[dimensions.indexOf(dimension)] as number;
    expect([Math.sign(at(303)), Math.sign(at(323))]).toEqual([1, -1]);
    expect(Math.hypot(...values)).toBeCloseTo(1, 6);
    expect(wordVector('parse')).toEqual({ dimensions, values });
  });

  it('has norm 1, or 0 without a term', () => {
    expect(norm(embed('parse', 'tree'))).toBeCloseTo(1, 5);
    expect(norm(embed())).toBe(0);
  });

  it('gives each number of a vector as it always did', () => {
    const words = ['parse', 'parsehttprespons', 'größe', 'id', '検索'];
    const bytes = embedTerms(words, [1, 2, 3, 40, 255]).buffer as ArrayBuffer;
    expect(createHash('sha256').update(new Uint8Array(bytes)).digest('hex').slice(0, 16)).toBe(
      'e79fff66ffe5ce97',
    );
  });

  it('finds words alike that share pieces, and words apart that do not', () => {
    expect(dot(embed('configur'), embed('configuration'))).toBeGreaterThan(0.25);
    expect(Math.abs(dot(embed('configure'), embed('socket')))).toBeLessThan(0.2);
  });

  it('weighs a term by 1 + ln of its frequency', () => {
    const once = dot(embedTerms(['parse', 'tree'], [1, 1]), embed('parse'));
    const often = dot(embedTerms(['parse', 'tree'], [20, 1]), embed('parse'));
    expect(often).toBeGreaterThan(once);
  });
});

describe('quantize', () => {
  it('keeps cosines within .01', () => {
    const a = embed('parse', 'http', 'response', 'header');
    const b = embed('parse', 'http', 'request', 'body');
    const [qa, qb] = [quantize(a), quantize(b)];
    const approximate =
      qa.q.reduce((sum, value, i) => sum + value * (qb.q[i] as number), 0) * qa.scale * qb.scale;
    expect(Math.abs(approximate - dot(a, b))).toBeLessThan(0.01);
  });

  it('gives the zero vector scale 0', () => {
    expect(quantize(new Float32Array(4))).toEqual({ q: new Int8Array(4), scale: 0 });
  });
});
