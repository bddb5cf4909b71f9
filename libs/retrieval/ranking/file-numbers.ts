import type { RankCandidate } from './rank.types.js';

/** Numbers the files of a search in order of first appearance: equal numbers for equal source and path. */
export function numberFiles(): (candidate: RankCandidate) => number {
  const sources = new Map<string, Map<string, number>>();
  let next = 0;
  return ({ sourceId, path }) => {
    let paths = sources.get(sourceId);
    if (!paths) sources.set(sourceId, (paths = new Map<string, number>()));
    let file = paths.get(path);
    if (file === undefined) paths.set(path, (file = next++));
    return file;
  };
}
