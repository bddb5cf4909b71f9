import { beforeFirst } from '#contracts/content/before-first';
import { compileGlobs } from '#platform/patterns/glob';

/** Maximum number of alternatives that the braces of a glob may expand to. */
const MAX_ALTERNATIVES = 64;

/**
 * Selects the chunks that may be candidates, by the file that contains them. Empty lists exclude
 * nothing.
 */
export interface ChunkFilter {
  /** Globs, one of which must match the path. */
  readonly paths: readonly string[];
  /** Names of languages, one of which must be the chunk's; case-insensitive. */
  readonly languages: readonly string[];
}

/** The input of a filter's decision: equal for all chunks of a file in one language. */
export interface FilteredChunk {
  readonly path: string;
  readonly language: string;
}

/** @throws RangeError for an invalid glob. */
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
 * Estimates the work of deciding one path, in steps per character of the path: characters of
 * patterns times alternatives.
 */
export function filterWeight({ paths }: ChunkFilter): number {
  return paths.reduce((sum, pattern) => sum + pattern.length * alternativesOf(pattern), 1);
}

/** Returns an upper bound for the number of alternatives of a pattern. */
function alternativesOf(pattern: string): number {
  return Math.min(MAX_ALTERNATIVES, 2 ** (pattern.split(',').length - 1));
}

/** Returns the path in citations; for an operation, the specification that contains it. */
function citedDocument(path: string, language: string): string {
  return language === 'openapi' ? beforeFirst(path, '#') : path;
}
