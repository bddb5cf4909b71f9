import type { MultiHopSearchBody, SearchBody } from '#contracts/http/index';
import { compileGlob } from '#ingest/patterns/glob';

import { patternProblems } from '../edge/pattern-problems.js';
import { validationFailed } from '../edge/strict-validation.pipe.js';

/** What a search asks for, however it was sent. */
export type SearchRequest = Readonly<SearchBody>;

/** The same with how far the search follows what it finds. */
export type MultiHopRequest = Readonly<MultiHopSearchBody>;

/** Decides by path and language whether a chunk may be a candidate; undefined when every chunk may. */
export type ChunkFilter = (chunk: { readonly path: string; readonly language: string }) => boolean;

/** @throws FootnoteError `validation_failed` for a glob that cannot be used. */
export function chunkFilter({ path_patterns, languages }: SearchRequest): ChunkFilter | undefined {
  const problems = patternProblems('path_patterns', path_patterns);
  if (problems.length > 0) throw validationFailed(problems);
  const paths = (path_patterns ?? []).map((pattern) => compileGlob(pattern));
  const wanted = new Set((languages ?? []).map((language) => language.toLowerCase()));
  if (paths.length === 0 && wanted.size === 0) return undefined;
  return ({ path, language }) =>
    (paths.length === 0 || paths.some((matches) => matches(path))) &&
    (wanted.size === 0 || wanted.has(language.toLowerCase()));
}
