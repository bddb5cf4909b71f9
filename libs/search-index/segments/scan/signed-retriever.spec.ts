import { beforeAll, describe, expect, it, jest } from '@jest/globals';

import { MEANING_ID, quantize } from '#retrieval';

import { markDropped } from '../../pack/dropped-bitmap.js';
import type { PackTables } from '../../pack/pack-tables.js';
import { RETRIEVAL_VERSION } from '../../search-index.port.js';
import { VectorArena } from '../store/vector-arena.js';
import { ACCEPTED } from './accepted-chunks.js';
import { SCAN_LIMITS, ScanPace } from './scan-pace.js';
import { type SearchedView, signedVectorsOf, wholeView } from './searched-view.js';
import { SignatureScratch } from './signature-scratch.js';
import { deviationOf, estimateOf, estimateTables, signatureOf } from './signatures.js';
import {
  MOST_EXACT,
  rescored,
  signedRetriever,
  type SignedRetrieverInput,
} from './signed-retriever.js';
import { signedBytes, signedVectors, signingBytes, signRows } from './signed-vectors.js';

const DIMENSIONS = 384;
const COUNT = MOST_EXACT + 1_003;
const LIMIT = 50;
/** Length of a vector whose values are spread evenly from -1 to 1. */
const LENGTH = Math.sqrt(DIMENSIONS / 3);
/** Scale of a row, whose length is about 1 then. */
const SCALE = Math.fround(1 / (LENGTH * 127));

/** Returns small whole numbers, the same in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return (state >>> 16) % 255;
  };
}

const next = numbers(7);
const rows = Int8Array.from({ length: COUNT * DIMENSIONS }, () => next() - 127);
const query = quantize(
  Float32Array.from({ length: DIMENSIONS }, () => (next() - 127) / (LENGTH * 127)),
);
const rowOf = (chunk: number, from = rows) =>
  from.subarray(chunk * DIMENSIONS, (chunk + 1) * DIMENSIONS);
const productOf = (chunk: number, from = rows) =>
  rowOf(chunk, from).reduce((sum, value, at) => sum + value * (query.q[at] as number), 0);

const arena = new VectorArena();
const scratch = new SignatureScratch(arena.memory, 1);

/** Places some of the rows as a segment, whose chunks have ids in the order of the rows. */
function segmentOf(first: number, count: number, from = rows): SearchedView {
  const at = arena.reserve(signedBytes(count, DIMENSIONS));
  const bytes = new Uint8Array(from.buffer, first * DIMENSIONS, count * DIMENSIONS);
  arena.bytes(at, bytes.length).set(bytes);
  signRows(
    arena.memory,
    signedVectors(at, count, DIMENSIONS),
    arena.reserve(signingBytes(DIMENSIONS)),
  );
  const tables = {
    first,
    chunkCount: count,
    scales: new Float32Array(count).fill(SCALE),
    meta: { embedder: { id: MEANING_ID, dimensions: DIMENSIONS } },
    idPrefix: (chunk: number) => first + chunk,
    compareIds: (chunk: number, other: { first: number }, otherChunk: number) =>
      first + chunk - (other.first + otherChunk),
  } as unknown as PackTables;
  const segment = { tables, vectorsAt: at, dimensions: DIMENSIONS };
  return {
    segment,
    embedderId: MEANING_ID,
    dropped: undefined,
    liveChunks: count,
    liveLength: count,
  };
}

function search(views: readonly SearchedView[], fields: Partial<SignedRetrieverInput> = {}) {
  const pace = new ScanPace({ ...SCAN_LIMITS, budgetMs: Infinity });
  const steps = signedRetriever(views.map(wholeView), scratch, {
    query,
    limit: LIMIT,
    accepts: () => true,
    isFiltered: false,
    version: RETRIEVAL_VERSION,
    estimatesFor: (count) => new Int16Array(count),
    pace,
    ...fields,
  });
  for (;;) {
    const { done, value } = steps.next();
    if (!done) pace.resume();
    else
      return value
        .found()
        .map(({ view, chunk, score }) => ({
          row: (view.segment.tables as unknown as { first: number }).first + chunk,
          score,
        }))
        .sort((a, b) => b.score - a.score || a.row - b.row);
  }
}

/** Returns the best rows of some, compared exactly. */
function bestOf(some: readonly number[], from = rows, limit = LIMIT) {
  return some
    .map((row) => ({ row, score: productOf(row, from) * SCALE * query.scale }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.row - b.row)
    .slice(0, limit);
}

const all = Array.from({ length: COUNT }, (_, row) => row);

/** Returns the rows that a version compares exactly, by their estimates. */
function comparedOf(
  version: number,
  estimates: readonly number[],
  from = rows,
  limit = LIMIT,
): number[] {
  const sorted = estimates.toSorted((a, b) => b - a);
  const nth = (place: number) => sorted[place - 1] ?? -Infinity;
  const reaching = (least: number) =>
    [...estimates.keys()].filter((row) => (estimates[row] as number) >= least);
  if (version === 2) return reaching(nth(rescored(estimates.length)));
  const first = nth(1_000);
  const lowest = bestOf(reaching(first), from, limit)[limit - 1]?.score ?? 0;
  const deviation = deviationOf(estimateTables(query.q));
  const expected = deviation * Math.sqrt((2 * DIMENSIONS) / Math.PI) * lowest;
  return reaching(Math.min(first, Math.max(expected - 1.75 * deviation, nth(40_000))));
}

describe('vectors with signatures', () => {
  let whole: SearchedView;
  let estimates: readonly number[];
  beforeAll(() => {
    whole = segmentOf(0, COUNT);
    const tables = estimateTables(query.q);
    estimates = all.map((row) => estimateOf(tables, signatureOf(rowOf(row))));
  });

  it('are estimated as by the reference', () => {
    const vectors = signedVectorsOf(whole.segment);
    for (const first of [0, 8_064, 16_128]) {
      const count = Math.min(8_064, COUNT - first);
      expect([...scratch.estimate(query.q, vectors, first, count)]).toEqual(
        estimates.slice(first, first + count),
      );
    }
  });

  it('are multiplied exactly', () => {
    const some = [0, 1, 17, 8_063, 8_064, COUNT - 1];
    const vectors = signedVectorsOf(whole.segment);
    expect([...scratch.multiply(query.q, vectors, 0, some)]).toEqual(
      some.map((row) => productOf(row)),
    );
    const rest = some.map((row) => COUNT - 1 - row);
    expect([...scratch.multiply(query.q, vectors, 1, rest.slice(1))]).toEqual(
      rest.slice(1).map((place) => productOf(1 + place)),
    );
    expect(scratch.multiply(query.q, vectors, 0, [])).toHaveLength(0);
  });

  it.each([2, 3])(
    'are compared exactly where the estimate is among the highest, version %i',
    (version) => {
      const found = search([whole], { version });
      expect(found).toEqual(bestOf(comparedOf(version, estimates)));
      const best = new Set(bestOf(all).map(({ row }) => row));
      expect(found.filter(({ row }) => best.has(row)).length).toBeGreaterThanOrEqual(LIMIT - 1);
    },
  );

  it('are compared until no estimate reaches what the scores let expect, ties included', () => {
    const compared = comparedOf(3, estimates);
    // Random rows are all about as far from the query: more are compared than by a share.
    expect(compared.length).toBeGreaterThan(rescored(COUNT));
    const near = rows.slice();
    for (const row of all.slice(0, LIMIT)) near.set(query.q, row * DIMENSIONS);
    const multiply = jest.spyOn(scratch, 'multiply');
    const found = search([segmentOf(0, COUNT, near)]);
    const count = multiply.mock.calls.reduce((sum, [, , , wanted]) => sum + wanted.length, 0);
    multiply.mockRestore();
    expect(found.map(({ row }) => row)).toEqual(all.slice(0, LIMIT));
    expect(count).toBeGreaterThanOrEqual(1_000);
    expect(count).toBeLessThan(1_100);
  });

  it('are compared exactly up to a number, ties apart', () => {
    const times = 6;
    // More than are compared first, so nothing is known of the lowest score.
    const limit = 1_500;
    const many = new Int8Array(times * rows.length);
    for (let time = 0; time < times; time += 1) many.set(rows, time * rows.length);
    const repeated = Array.from({ length: times }, () => estimates).flat();
    const compared = comparedOf(3, repeated, many, limit);
    expect(compared.length).toBeGreaterThanOrEqual(40_000);
    expect(compared.length).toBeLessThan(41_000);
    const multiply = jest.spyOn(scratch, 'multiply');
    const found = search([segmentOf(0, times * COUNT, many)], { limit });
    const count = multiply.mock.calls.reduce((sum, [, , , wanted]) => sum + wanted.length, 0);
    multiply.mockRestore();
    expect(count).toBe(compared.length);
    expect(found).toEqual(bestOf(compared, many, limit));
  });

  it('are cut at the right place where those of a sample are not like the others', () => {
    const from = rows.slice();
    const isSampled = (row: number) => row % 16 === 0;
    for (const row of all.filter(isSampled)) from.set(query.q, row * DIMENSIONS);
    const limit = 2_000;
    const found = search([segmentOf(0, COUNT, from)], { limit, version: 2 });
    expect(found).toHaveLength(limit);
    const best = bestOf(all, from, limit);
    expect(found.filter(({ row }) => isSampled(row))).toEqual(
      best.filter(({ row }) => isSampled(row)),
    );
    const rest = new Set(found.map(({ row }) => row));
    expect(best.filter(({ row }) => rest.has(row)).length).toBeGreaterThan(0.9 * limit);
  });

  it('are found where those of a sample are far below the others', () => {
    const from = rows.slice();
    const isSampled = (row: number) => row % 16 === 0;
    for (const row of all)
      if (!isSampled(row) && row % 3 === 0) from.set(query.q, row * DIMENSIONS);
    const near = all.filter((row) => !isSampled(row) && row % 3 === 0);
    const found = search([segmentOf(0, COUNT, from)]);
    expect(found.map(({ row }) => row)).toEqual(near.slice(0, LIMIT));
  });

  it.each([2, 3])(
    'are found alike however they are divided into segments, version %i',
    (version) => {
      const parts = [segmentOf(0, 5), segmentOf(5, 9_000), segmentOf(9_005, COUNT - 9_005)];
      expect(search(parts, { version })).toEqual(search([whole], { version }));
    },
  );

  it('are all compared exactly in the way of the first version, and in a small scope', () => {
    expect(search([whole], { version: 1 })).toEqual(bestOf(all));
    expect(search([segmentOf(100, MOST_EXACT)])).toEqual(bestOf(all.slice(100, 100 + MOST_EXACT)));
  });

  it('are filtered before the cut', () => {
    const accepts = (_: SearchedView, chunk: number): boolean => chunk % 40 === 3;
    expect(search([whole], { accepts, isFiltered: true })).toEqual(
      bestOf(all.filter((row) => row % 40 === 3)),
    );
  });

  it('are filtered alike by answers that are known', () => {
    const accepts = (_: SearchedView, chunk: number): boolean => chunk % 3 !== 1;
    const answers = Uint8Array.from(all, (chunk) => (chunk % 3 === 1 ? 2 : ACCEPTED));
    const known = Object.assign((): boolean => false, { decided: () => answers });
    const dropped = markDropped(
      undefined,
      COUNT,
      all.filter((chunk) => chunk % 5 === 0),
    );
    const views = [{ ...whole, dropped }];
    const found = search(views, { accepts, isFiltered: true });
    expect(search(views, { accepts: known, isFiltered: true })).toEqual(found);
    expect(found).toHaveLength(LIMIT);
    expect(found.every(({ row }) => row % 3 !== 1 && row % 5 !== 0)).toBe(true);
  });

  it.each([1, 2, 3])('yield after each slow decision of a filter, version %i', (version) => {
    const pace = new ScanPace({ sliceMs: 5, budgetMs: Infinity, unitsALook: 1, cpuMs: () => 0 });
    const view = segmentOf(0, MOST_EXACT + 1);
    let decisions = 0;
    const accepts = (): boolean => {
      pace.isDue = (decisions += 1) % 1_000 === 0;
      return true;
    };
    const steps = signedRetriever([wholeView(view)], scratch, {
      query,
      limit: LIMIT,
      accepts,
      isFiltered: true,
      version,
      pace,
      estimatesFor: (count) => new Int16Array(count),
    });
    let most = 0;
    for (let before = 0; !steps.next().done; before = decisions) {
      most = Math.max(most, decisions - before);
      pace.isDue = false;
    }
    expect(decisions).toBe(MOST_EXACT + 1);
    expect(most).toBe(1_000);
  });

  it('are left out where they are dropped', () => {
    const best = bestOf(all)[0]?.row as number;
    const dropped = markDropped(undefined, COUNT, [best]);
    expect(search([{ ...whole, dropped }]).map(({ row }) => row)).not.toContain(best);
  });

  it.each([
    [0, 0],
    [MOST_EXACT, MOST_EXACT],
    [MOST_EXACT + 1, 4_000],
    [200_000, 4_000],
    [2_000_000, 40_000],
  ])('of %i, %i are compared exactly', (count, exact) => {
    expect(rescored(count)).toBe(exact);
  });
});
