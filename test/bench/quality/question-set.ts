import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { readDocuments } from '#distil';
import type { ParsedDocument } from '#ingest';

/** The kinds of questions. */
export const QUESTION_KINDS = [
  'where',
  'symptom',
  'what-if',
  'configure',
  'design',
  'name',
] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** Whether a parameter may be chosen on a question, or only be checked on it. */
export type Half = 'choosing' | 'checking';

/** A place that answers a question. */
export interface AnswerPlace {
  readonly path: string;
  /** First and last line of the passage, 1-based; the whole file when absent. */
  readonly lines?: readonly [first: number, last: number];
  /** Words that these lines contain, so that a shifted label is noticed. */
  readonly words?: string;
}

/** A question in a newcomer's words. */
export interface Question {
  /** `<repository>-<number>`. */
  readonly id: string;
  readonly kind: QuestionKind;
  readonly question: string;
  /** The passages that a person wants to see: one to three. */
  readonly primary: readonly AnswerPlace[];
  /** Others that answer too: they are neither right nor wrong. */
  readonly acceptable: readonly AnswerPlace[];
}

/** The questions about one repository at one revision. */
export interface QuestionSet {
  readonly repository: string;
  readonly url: string;
  readonly revision: string;
  readonly half: Half;
  readonly questions: readonly Question[];
  /**
   * The documents to index, code and prose as a sync chooses them. They are read when the turn of
   * the repository comes.
   */
  readonly documents: () => readonly ParsedDocument[];
}

/**
 * Repositories whose questions parameters may be chosen on. The others' are kept back. A repository
 * is in one half as a whole, so that no choice has seen the text that checks it.
 */
const CHOOSING: ReadonlySet<string> = new Set([
  'flask',
  'gson',
  'tokio',
  'phoenix',
  'libuv',
  'serilog',
  'kit',
  'prometheus',
]);

/**
 * The question sets of a folder (`<repository>.json`), by name.
 *
 * @param repos folder of git repositories by their names in the sets, with the revisions that these
 * name
 */
export function questionSets(folder: string, repos: string): QuestionSet[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.sort().map((name) => {
    const set = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Omit<
      QuestionSet,
      'half' | 'documents'
    >;
    const { repository, revision } = set;
    return {
      ...set,
      half: CHOOSING.has(repository) ? 'choosing' : 'checking',
      documents: () => readDocuments(join(repos, repository), revision),
    };
  });
}
