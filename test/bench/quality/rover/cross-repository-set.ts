import { readFileSync } from 'node:fs';

import type { AnswerPlace, Half } from '../question-set.js';

/** A repository at a commit. */
export interface PinnedRepository {
  /** `owner/name`. */
  readonly repo: string;
  readonly commit: string;
}

/** A place of one of the repositories that answers its side of a question. */
export interface SidePlace extends AnswerPlace {
  readonly repo: string;
}

/** A question that needs both repositories of its pair. */
export interface CrossQuestion {
  readonly id: string;
  readonly question: string;
  /** At least one of each repository. */
  readonly places: readonly SidePlace[];
}

/** A question without an answer in the repositories of its pair. */
export interface AbsentQuestion {
  readonly id: string;
  readonly question: string;
}

/** Two repositories, of which one uses the other, with questions. */
export interface CrossPair {
  readonly name: string;
  readonly language: string;
  readonly half: Half;
  readonly repositories: readonly PinnedRepository[];
  readonly questions: readonly CrossQuestion[];
  readonly absent: readonly AbsentQuestion[];
}

/** Reads the pairs of a question file. */
export function crossPairs(file: string): readonly CrossPair[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as { pairs: CrossPair[] }).pairs;
}
