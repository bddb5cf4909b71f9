import { describe, expect, it } from '@jest/globals';

import type { Manifest } from '#contracts';
import { isDropped } from '#search-index';

import type { SourceListing } from '../artifacts/source-listing.js';
import { planPacks } from './plan-packs.js';

/**
 * A base of packs with ten documents of one chunk each: document `2/3` is the fourth of the third
 * pack.
 */
function baseOf(packs: number): Manifest {
  const documents = Array.from({ length: packs * 10 }, (_, index) => ({
    path: `${Math.floor(index / 10)}/${index % 10}`,
    version: 'v',
    pack: Math.floor(index / 10),
    first: index % 10,
    chunks: 1,
  }));
  return {
    format: 1,
    tenant_id: 't1',
    source_id: 's1',
    generation: 1,
    version_ref: 'c1',
    recipe: 'r',
    analyzer: 'a',
    embedder: { id: 'e', dimensions: 1 },
    documents,
    packs: Array.from({ length: packs }, (_, index) => ({
      hash: `p${index}`,
      chunks: 10,
      dropped_count: 0,
    })),
    file_count: packs * 10,
    chunk_count: packs * 10,
  };
}

function listing(
  base: Manifest,
  without: readonly string[],
  newChunks: number,
  keeps = true,
): SourceListing {
  return {
    version_ref: 'c2',
    recipe: 'r',
    base: keeps ? 'base-hash' : null,
    documents: base.documents
      .filter(({ path }) => !without.includes(path))
      .map(({ path, version }) => ({ path, version, ...(keeps ? { kept: true as const } : {}) })),
    parts: [],
    files_read: 0,
    skipped: {},
    chunks: newChunks,
  };
}

describe('plan of packs', () => {
  it('marks the chunks of documents that are not kept, in their pack alone', () => {
    const base = baseOf(2);
    const plan = planPacks(listing(base, ['0/3', '0/4'], 2), base);
    expect(plan.merge).toBe(false);
    const [first, second] = plan.packs;
    expect(
      Array.from({ length: 10 }, (_, chunk) => isDropped(first?.dropped ?? undefined, chunk)),
    ).toEqual(Array.from({ length: 10 }, (_, chunk) => chunk === 3 || chunk === 4));
    expect(first?.affected).toEqual([
      { first: 3, chunks: 1 },
      { first: 4, chunks: 1 },
    ]);
    expect(second).toMatchObject({ dropped: null, droppedCount: 0, affected: [] });
  });

  it.each([
    [6, 1, false],
    [7, 1, true],
    [7, 0, false],
    [8, 0, true],
  ])('with %i packs and %i new chunks, merging is %s', (packs, newChunks, merge) => {
    const base = baseOf(packs);
    expect(planPacks(listing(base, [], newChunks), base).merge).toBe(merge);
  });

  it('merges when more than 30 % are dropped', () => {
    const base = baseOf(1);
    expect(planPacks(listing(base, ['0/0', '0/1', '0/2'], 0), base).merge).toBe(false);
    expect(planPacks(listing(base, ['0/0', '0/1', '0/2', '0/3'], 0), base).merge).toBe(true);
  });

  it('keeps nothing when everything was read again, but compares with all of it', () => {
    const base = baseOf(2);
    const plan = planPacks(listing(base, [], 20, false), base);
    expect(plan).toMatchObject({ keeps: false, merge: false });
    expect(plan.packs.map(({ affected }) => affected.length)).toEqual([10, 10]);
  });

  it('has nothing to plan without a base', () => {
    expect(planPacks(listing(baseOf(1), [], 5), null)).toEqual({
      packs: [],
      merge: false,
      keeps: false,
    });
  });
});
