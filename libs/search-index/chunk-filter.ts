import { beforeFirst } from '#contracts/content/before-first';
import { compileGlobs } from '#platform/patterns/glob';

/** Alternatives that the braces of a glob may stand for. */
const MAX_ALTERNATIVES = 64;

/** Which chunks may be candidates, by the file they come from. What is empty excludes nothing. */
export interface ChunkFilter {
  /** Globs, of which the path matches one. */
  readonly paths: readonly string[];
  /** Names of languages, of which the chunk's is one; case does not count. */
  readonly languages: readonly string[];
}

/** What a filter decides by: equal for all chunks of a file in one language. */
export interface FilteredChunk {
  readonly path: string;
  readonly language: string;
}

/** @throws RangeError for a glob that cannot be used. */
export function compileChunkFilter({
  paths,
  languages,
}: ChunkFilter): (chunk: FilteredChunk) => boolean {
  const isWanted = compileGlobs(paths);
  const wanted = new Set(languages.map((language) => language.toLowerCase()));
  return ({ path, language }) =>
    (paths.length === 0 || isWanted(citedDocument(path, language))) &&
    (wanted.size === 0 || wanted.has(language.toLowerCase()));
}

/**
 * Estimates the work of deciding one path, in steps a character of the path: characters of patterns
 * by alternatives.
 */
export function filterWeight({ paths }: ChunkFilter): number {
  return paths.reduce((sum, pattern) => sum + pattern.length * alternativesOf(pattern), 1);
}

/** An upper bound for the alternatives of a pattern. */
function alternativesOf(pattern: string): number {
  return Math.min(MAX_ALTERNATIVES, 2 ** (pattern.split(',').length - 1));
}

/** What citations name as the path: of an operation the specification that it is a part of. */
function citedDocument(path: string, language: string): string {
  return language === 'openapi' ? beforeFirst(path, '#') : path;
}
