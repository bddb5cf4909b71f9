/** Kinds of questions, by what an answer has to show. */
export const QUESTION_KINDS = [
  'where',
  'callers',
  'how',
  'why',
  'setting',
  'compare',
  'other',
] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** A question in the form that the planner reads. Every list is distinct, bounded and ordered. */
export interface Understanding {
  readonly question: string;
  readonly kind: QuestionKind;
  /** Names of definitions, as written: `Session.get`, `parse_header`. */
  readonly identifiers: readonly string[];
  /** Paths and file names: `src/app.py`, `go.mod`. */
  readonly paths: readonly string[];
  /** Text between quotation marks or backticks that is no identifier and no path. */
  readonly quoted: readonly string[];
  /** Names of errors and error texts. */
  readonly errors: readonly string[];
  /** Packages that the question names as such: `@scope/name`, `package urllib3`. */
  readonly packages: readonly string[];
  /** Repositories that the question names, as `owner/name`. */
  readonly repositories: readonly string[];
  /** Index terms of the question without stop words and names of repositories. */
  readonly terms: readonly string[];
}
