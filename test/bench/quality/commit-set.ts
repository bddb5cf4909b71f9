import { git, plainSubject } from '#distil';

import type { LabeledQuery } from './labels.js';
import { type QuerySet, sample } from './query-set.js';
import { readCode } from './read-code.js';

const MAX_FILES = 4;
const MIN_WORDS = 3;
const NO_QUESTION = /^(revert|merge|bump|release|version|update dependencies)\b/i;

interface Commit {
  readonly subject: string;
  readonly files: readonly string[];
}

/**
 * Commits after a revision, by their subjects, with the code files that they change as the answer.
 * The revision is indexed: it holds none of the changes. Commits of more than four files, and files
 * that it does not have, are left out.
 *
 * @param history how many commits before HEAD the revision lies, along first parents
 */
export function commitSet(
  name: string,
  gitFolder: string,
  history: number,
  limit: number,
): QuerySet {
  const lineage = git(gitFolder, 'rev-list', '--first-parent', `--max-count=${history + 1}`, 'HEAD')
    .trim()
    .split('\n');
  const revision = lineage.at(-1) ?? 'HEAD';
  const documents = () => readCode(gitFolder, revision);
  const known = new Set(documents().map(({ path }) => path));
  const queries = commitsSince(gitFolder, revision).flatMap(
    ({ subject, files }): LabeledQuery[] => {
      const query = plainSubject(subject);
      const targets = files.filter((path) => known.has(path)).map((path) => ({ path }));
      const asks = query.split(/\s+/).length >= MIN_WORDS && !NO_QUESTION.test(subject);
      return asks && files.length <= MAX_FILES && targets.length > 0
        ? [{ query, category: 'commit', targets }]
        : [];
    },
  );
  return { name, revision, queries: sample(queries, limit), documents };
}

function commitsSince(gitFolder: string, revision: string): Commit[] {
  const log = git(
    gitFolder,
    'log',
    '--no-merges',
    '--name-only',
    '-z',
    '--format=%x01%s%x02',
    `${revision}..HEAD`,
  );
  return log
    .split('\u0001')
    .slice(1)
    .map((entry) => {
      const [subject = '', files = ''] = entry.split('\u0002');
      return { subject, files: files.split(/[\0\n]+/).filter((path) => path !== '') };
    });
}
