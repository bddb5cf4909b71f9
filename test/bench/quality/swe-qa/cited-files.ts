/** Citations of an answer, compared with the files that the reference answer names. */
export interface CitedFilesScore {
  /** Share of the named files that are cited. */
  readonly recall: number;
  /** Share that the first five citations show: as many as a chat answer without a model has. */
  readonly firstFive: number;
  /** At least one named file is cited. */
  readonly one: boolean;
  /** Every named file is cited. */
  readonly all: boolean;
  /** Different files that are cited, named or not. */
  readonly cited: number;
}

/**
 * Scores the citations of an answer. A file counts once, however often it is cited.
 *
 * @param named paths that the reference answer names, at least one
 * @param cited paths of the citations in their order; none for a question that failed
 */
export function scoreCitedFiles(
  named: readonly string[],
  cited: readonly string[],
): CitedFilesScore {
  const files = new Set(cited);
  const first = new Set(cited.slice(0, 5));
  const found = named.filter((path) => files.has(path)).length;
  return {
    recall: found / named.length,
    firstFive: named.filter((path) => first.has(path)).length / named.length,
    one: found > 0,
    all: found === named.length,
    cited: files.size,
  };
}
