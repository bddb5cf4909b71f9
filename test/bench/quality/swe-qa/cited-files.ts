/** Citations of an answer, compared with the files that the reference answer names. */
export interface CitedFilesScore {
  /** Share of the named files that are cited. */
  readonly recall: number;
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
 * @param cited paths of the citations; none for a question that failed
 */
export function scoreCitedFiles(
  named: readonly string[],
  cited: readonly string[],
): CitedFilesScore {
  const files = new Set(cited);
  const found = named.filter((path) => files.has(path)).length;
  return {
    recall: found / named.length,
    one: found > 0,
    all: found === named.length,
    cited: files.size,
  };
}
