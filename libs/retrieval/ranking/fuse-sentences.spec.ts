import { describe, expect, it } from '@jest/globals';

import { analyzeQuery } from '../analysis/analyze-query.js';
import { fuseSentences } from './fuse-sentences.js';
import { modelProfile } from './model-profiles.js';
import type { RankCandidate, RankedChunk } from './rank.types.js';

const statistics = { chunks: 10, averageLength: 10, documentFrequencies: [1] };
const source = { priority: 1, isRepository: true, isStale: false, syncedAt: 0 };

function chunk(path: string, sourceId = 's'): RankCandidate {
  return {
    chunkId: `${sourceId}-${path}`,
    sourceId,
    path,
    defines: () => false,
    chunkType: 'code',
    startLine: 1,
    endLine: 2,
    contentHash: `${sourceId}-${path}`,
    termFrequencies: [0],
    length: 10,
    cosine: 0.4,
    cosineModel: 'meaning-v1',
  };
}

function ranked(
  paths: readonly string[],
  scoreAt = (at: number) => 0.9 - at / 10,
): RankedChunk<RankCandidate>[] {
  return paths.map((path, at) => ({
    candidate: chunk(path),
    score: scoreAt(at),
    priority: 1,
    source,
    legs: { lexical: 0.5, semantic: 0.5, combined: scoreAt(at) },
  }));
}

/** A further passage of a file, with other content. */
function passage(path: string, nth: number): RankCandidate {
  return { ...chunk(path), chunkId: `${path}-${nth}`, contentHash: `${path}-${nth}` };
}

/** The first of the nearest has the highest similarity. */
function fuse(
  list: readonly RankedChunk<RankCandidate>[],
  nearest: readonly RankCandidate[],
  { priority = 1, similarity = 0.9, text = 'where is a list of words turned into a tree' } = {},
) {
  const near = nearest.map((candidate, at) => ({ candidate, similarity: similarity - at / 20 }));
  return fuseSentences(list, near, {
    query: analyzeQuery(text),
    statistics,
    profileOf: (model) => modelProfile(model),
    sourceOf: () => ({ ...source, priority }),
  });
}
const paths = (list: readonly RankedChunk<RankCandidate>[]) =>
  list.map(({ candidate }) => candidate.path);

describe('fuseSentences', () => {
  it('puts a file first that both lists have near their start', () => {
    const fused = fuse(ranked(['a', 'b', 'c']), [chunk('b'), chunk('x')]);
    expect(paths(fused)).toEqual(['b', 'a', 'c', 'x']);
  });

  it('puts a file that only the encoder finds before weak results', () => {
    const list = ranked(['a', 'b', 'c', 'd', 'e']);
    expect(paths(fuse(list, [chunk('x')]))).toEqual(['a', 'b', 'c', 'x', 'd', 'e']);
  });

  it('starts such a file below the share of the tenth result, if that is low', () => {
    const names = [...'abcdefghijkl'];
    // The file gets .3 for the nearest chunk, and .8 of the share at the tenth place.
    const peak = ranked(names, (at) => [0.9, 0.5, 0.4][at] ?? 0.2);
    expect(paths(fuse(peak, [chunk('x')])).slice(0, 5)).toEqual(['a', 'b', 'x', 'c', 'd']);
    const higher = ranked(names, (at) => [0.9, 0.5, 0.4][at] ?? 0.1);
    expect(paths(fuse(higher, [chunk('x')])).slice(0, 5)).toEqual(['a', 'b', 'c', 'x', 'd']);
  });

  it('starts such a file at half of the best score at most', () => {
    const flat = ranked([...'abcdefghijkl'], (at) => (at === 0 ? 0.9 : 0.71));
    expect(paths(fuse(flat, [chunk('x')])).slice(0, 3)).toEqual(['a', 'x', 'b']);
    const equal = ranked([...'abcdefghijkl'], () => 0.9);
    expect(paths(fuse(equal, [chunk('x')])).at(-1)).toBe('x');
  });

  it('compares with the last result if there are fewer than ten', () => {
    const short = ranked(['a', 'b', 'c'], (at) => [0.9, 0.5, 0.1][at] ?? 0);
    expect(paths(fuse(short, [chunk('x')]))).toEqual(['a', 'b', 'x', 'c']);
  });

  it('counts for the first passage of a file only', () => {
    const list = ranked(['a', 'b', 'c', 'a'], (at) => [0.9, 0.8, 0.5, 0.4][at] ?? 0).map(
      (entry, at) => (at === 3 ? { ...entry, candidate: passage('a', 2) } : entry),
    );
    const near = [chunk('a'), passage('a', 2), chunk('x'), passage('x', 2)];
    const ids = fuse(list, near).map(({ candidate }) => candidate.chunkId);
    expect(ids).toEqual(['s-a', 's-b', 's-x', 's-c', 'a-2', 'x-2']);
  });

  it('counts the nearest chunk less in a test file, and fully if the query names its folder', () => {
    const list = ranked(['src/a.ts', 'src/b.ts']);
    const near = [chunk('tests/x.ts'), chunk('src/b.ts')];
    expect(paths(fuse(list, near))).toEqual(['src/b.ts', 'src/a.ts', 'tests/x.ts']);
    const bundled = [chunk('vendor/lua/x.c'), chunk('src/b.ts')];
    expect(paths(fuse(list, bundled)).at(-1)).toBe('vendor/lua/x.c');
    expect(paths(fuse(list, bundled, { text: 'where does lua turn words into a tree' }))).toEqual([
      'src/b.ts',
      'src/a.ts',
      'vendor/lua/x.c',
    ]);
  });

  it('ignores chunks whose similarity is not above the floor', () => {
    const list = ranked(['a', 'b', 'c']);
    expect(paths(fuse(list, [chunk('c')], { similarity: 0.55 }))).toEqual(['a', 'b', 'c']);
  });

  it('keeps the scores of the places, so that the best score does not change', () => {
    const fused = fuse(ranked(['a', 'b']), [chunk('x'), chunk('b')]);
    expect(fused.map(({ score }) => score)).toEqual([0.9, 0.8, 0.8]);
  });

  it('returns the ranking where the encoder found nothing', () => {
    expect(paths(fuse(ranked(['a', 'b']), []))).toEqual(['a', 'b']);
  });

  it('adds no chunk of a source without priority, and no copy of a listed chunk', () => {
    expect(paths(fuse(ranked(['a']), [chunk('x')], { priority: 0 }))).toEqual(['a']);
    const copy = { ...chunk('copy'), contentHash: 's-a' };
    expect(paths(fuse(ranked(['a']), [copy]))).toEqual(['a']);
  });

  it('gives contributions that sum to the score if the ranking has them', () => {
    const explained = ranked(['a', 'b']).map((entry) => ({
      ...entry,
      contributions: [{ name: 'lexical' as const, value: entry.score }],
    }));
    for (const { score, contributions = [] } of fuse(explained, [chunk('x'), chunk('b')])) {
      const sum = contributions.reduce((total, { value }) => total + value, 0);
      expect(sum).toBeCloseTo(score, 10);
    }
    expect(fuse(ranked(['a']), [chunk('x')]).every((entry) => !entry.contributions)).toBe(true);
  });
});
