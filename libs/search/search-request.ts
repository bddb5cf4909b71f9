import { validationFailed } from '#contracts';
import type { MultiHopSearchBody, SearchBody } from '#contracts/http/index';
import type { ChunkFilter } from '#search-index';

import { patternListProblems, patternProblems } from './pattern-problems.js';

/** A search request, independent of its transport. */
export type SearchRequest = Readonly<SearchBody>;

/** The same with how far the search follows what it finds. */
export type MultiHopRequest = Readonly<MultiHopSearchBody>;

/**
 * Returns the filter for candidate chunks; undefined when every chunk may be one.
 *
 * @throws FootnoteError `validation_failed` for a glob that cannot be used.
 */
export function chunkFilter({
  path_patterns,
  languages,
}: Pick<SearchRequest, 'path_patterns' | 'languages'>): ChunkFilter | undefined {
  const problems = [
    ...patternProblems('path_patterns', path_patterns),
    ...patternListProblems('path_patterns', path_patterns),
  ];
  if (problems.length > 0) throw validationFailed(problems);
  const filter = { paths: path_patterns ?? [], languages: languages ?? [] };
  return filter.paths.length === 0 && filter.languages.length === 0 ? undefined : filter;
}
