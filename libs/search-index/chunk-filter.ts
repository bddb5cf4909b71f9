import { compileGlobs } from '#platform/patterns/glob';

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
export function compileChunkFilter({ paths, languages }: ChunkFilter): (chunk: FilteredChunk) => boolean {
  const isWanted = compileGlobs(paths);
  const wanted = new Set(languages.map((language) => language.toLowerCase()));
  return ({ path, language }) =>
    (paths.length === 0 || isWanted(citedDocument(path, language))) &&
    (wanted.size === 0 || wanted.has(language.toLowerCase()));
}

/** What citations name as the path: of an operation the specification that it is a part of. */
function citedDocument(path: string, language: string): string {
  return language === 'openapi' ? path.replace(/#.*$/s, '') : path;
}
