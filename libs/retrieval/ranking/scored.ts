import type { RankCandidate } from './rank.types.js';

interface Ordered {
  readonly candidate: RankCandidate;
  readonly score: number;
}

/**
 * Compares by score, highest first; equal scores by chunk id, so that the same content always has
 * the same order.
 */
export function byRank(a: Ordered, b: Ordered): number {
  if (a.score === b.score) return byId(a.candidate, b.candidate);
  // A whole number: a difference would be an object for each comparison.
  return a.score > b.score ? -1 : 1;
}

/** Compares by chunk id. */
export function byId(a: RankCandidate, b: RankCandidate): number {
  if (a.compareId) return a.compareId(b);
  return a.chunkId < b.chunkId ? -1 : a.chunkId > b.chunkId ? 1 : 0;
}

/**
 * Raises a score towards 1 by the share `strength × match` of the difference. Order matters little,
 * and the score never exceeds 1.
 */
export function bump(score: number, strength: number, match = 1): number {
  return score + (1 - score) * strength * match;
}

/** Returns whether a chunk defines one of some names, exactly. */
export function definesAny(candidate: RankCandidate, names: readonly string[]): boolean {
  for (const name of names) if (candidate.defines(name)) return true;
  return false;
}

/** Returns the entries of each file, by its number. */
export function groupByFile<S extends { readonly file: number }>(entries: readonly S[]): S[][] {
  const files: S[][] = [];
  for (const entry of entries) {
    const file = files[entry.file];
    if (file) file.push(entry);
    else files[entry.file] = [entry];
  }
  return files;
}

/**
 * Numbers the files of a search in order of first appearance: equal numbers for equal source and
 * path.
 */
export function numberFiles(): (candidate: RankCandidate) => number {
  const sources = new Map<string, Map<string, number>>();
  let next = 0;
  let lastSource: string | undefined;
  let paths: Map<string, number> | undefined;
  return ({ sourceId, path }) => {
    if (sourceId !== lastSource) paths = sources.get(sourceId);
    lastSource = sourceId;
    if (!paths) sources.set(sourceId, (paths = new Map<string, number>()));
    let file = paths.get(path);
    if (file === undefined) paths.set(path, (file = next++));
    return file;
  };
}
