import { join } from 'node:path';

import { git, readDocuments } from '#distil';
import type { ParsedDocument } from '#ingest';

import { namedFiles } from './named-files.js';
import type { SweQaQuestion, SweQaSet } from './swe-qa-set.js';

/** A question whose answer names files of the repository. */
export interface PlacedQuestion extends SweQaQuestion {
  /** Paths that the reference answer names, at least one. */
  readonly files: readonly string[];
}

/** A set at its commit. */
export interface PlacedSet extends SweQaSet {
  /** The whole commit id. */
  readonly revision: string;
  /** Questions whose answers name files; the others cannot be scored by place. */
  readonly placed: readonly PlacedQuestion[];
  /** Documents as a sync chooses them, read again at each call. */
  readonly documents: () => readonly ParsedDocument[];
}

/**
 * Finds the files that the answers of a set name, in a folder of repositories as `<owner>/<name>`.
 *
 * @throws Error if the repository or its commit is missing
 */
export function placeSet(set: SweQaSet, repos: string): PlacedSet {
  const folder = join(repos, set.repo);
  const revision = git(
    folder,
    'rev-parse',
    '--verify',
    '--end-of-options',
    `${set.commit}^{commit}`,
  ).trim();
  const filesIn = namedFiles(
    git(folder, 'ls-tree', '-r', '-z', '--name-only', revision).split('\0'),
  );
  const placed = set.questions
    .map((question) => ({ ...question, files: filesIn(question.answer) }))
    .filter(({ files }) => files.length > 0);
  return { ...set, revision, placed, documents: () => readDocuments(folder, revision) };
}
