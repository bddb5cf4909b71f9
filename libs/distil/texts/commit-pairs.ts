import { basename } from 'node:path/posix';

import { carriesSecret, redactSecrets } from '#ingest/redact/redact-secrets';
import { secretMark } from '#ingest/redact/secret-files';

import { plainSubject } from './commit-subject.js';
import { isLeftOut } from './left-out.js';
import { git, gitWithInput } from './repository-files.js';
import type { TextPair } from './text-pair.js';

const MAX_FILES = 5;
const MAX_PAIRS = 2;
const CONTEXT_LINES = 12;
const MIN_SUBJECT_WORDS = 3;
const MIN_BODY = 60;
const MAX_BODY = 300;
const MIN_HUNK = 80;
const MAX_HUNK = 1_800;

const NO_QUESTION = /^(revert|merge|bump|release|version|update dependencies|chore|prepare)\b/i;
const TRAILER = /^(Signed|Co-auth|Closes|Fixes|See)[^\n]*$/gim;
const NO_PASSAGE = /changelog|\.(lock|svg|json|snap)$/i;
const TEST = /test|spec/i;

const DIFF = ['--no-renames', '--diff-filter=AM', '--no-color', '--no-ext-diff', '--no-textconv'];

export interface CommitPairs {
  readonly pairs: readonly TextPair[];
  /**
   * False if the repository lacks objects of its history, like partial clones: pairs end before
   * them.
   */
  readonly isComplete: boolean;
}

interface Commit {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
}

/**
 * Returns subjects, and bodies if present, with the changes of the last commits.
 * @param batch commits whose changes are read at once.
 */
export function commitPairs(
  gitFolder: string,
  revision: string,
  most: number,
  batch = 64,
): CommitPairs {
  const pairs: TextPair[] = [];
  try {
    const commits = most === 0 ? [] : smallCommits(gitFolder, revision, most);
    for (let at = 0; at < commits.length; at += batch) {
      const some = commits.slice(at, at + batch);
      const patches = patchesOf(gitFolder, some);
      for (const commit of some) pairs.push(...pairsOf(commit, patches.get(commit.id) ?? ''));
    }
    return { pairs, isComplete: true };
  } catch {
    // Of git's messages, only this one is certain: an object is missing.
    return { pairs, isComplete: false };
  }
}

function smallCommits(gitFolder: string, revision: string, most: number): Commit[] {
  const format = '--format=%x01%H%x02%s%x02%b%x03';
  const words = [
    'log',
    '--no-merges',
    '-n',
    String(most),
    format,
    '--name-only',
    ...DIFF,
    revision,
  ];
  return entriesOf(git(gitFolder, ...words)).flatMap(([about, listing]): Commit[] => {
    const [id = '', said = '', text = ''] = about.split('\u0002');
    const files = listing.split('\n').filter((line) => line !== '').length;
    const subject = plainSubject(said);
    const asks = subject.split(/\s+/).length >= MIN_SUBJECT_WORDS && !NO_QUESTION.test(subject);
    if (!asks || files === 0 || files > MAX_FILES) return [];
    const body = redactSecrets(text.replace(TRAILER, '')).text.replace(/\s+/g, ' ').trim();
    return [
      { id, subject: redactSecrets(subject).text, body: body.slice(0, MAX_BODY).toWellFormed() },
    ];
  });
}

function patchesOf(gitFolder: string, commits: readonly Commit[]): Map<string, string> {
  const asked = commits.map(({ id }) => `${id}\n`).join('');
  // Large files count as binary: their changes are not read.
  const settings = ['-c', 'core.quotePath=false', '-c', 'core.bigFileThreshold=512k'];
  const words = [
    'log',
    '--no-walk=unsorted',
    '--stdin',
    '--format=%x01%H%x03',
    '-p',
    `-U${CONTEXT_LINES}`,
    ...DIFF,
  ];
  return new Map(
    entriesOf(gitWithInput(gitFolder, asked, [...settings, ...words]).toString('utf8')),
  );
}

function entriesOf(log: string): [about: string, rest: string][] {
  return log
    .split('\u0001')
    .slice(1)
    .map((entry) => {
      const end = entry.indexOf('\u0003');
      return end === -1 ? [entry, ''] : [entry.slice(0, end), entry.slice(end + 1)];
    });
}

function pairsOf({ id, subject, body }: Commit, patch: string): TextPair[] {
  const files = patch.split(/^diff --git /m).slice(1);
  const pairs: TextPair[] = [];
  for (const file of files) {
    const path = /^\+\+\+ b\/(.*)$/m.exec(file)?.[1]?.trimEnd();
    if (path === undefined || NO_PASSAGE.test(path) || isLeftOut(path) || isSecret(path)) continue;
    if (files.length > 1 && TEST.test(path)) continue;
    const content = redactSecrets(largestHunk(file), path).text.slice(0, MAX_HUNK).toWellFormed();
    if (content.length < MIN_HUNK) continue;
    const question = pairs.length % 2 === 1 && body.length > MIN_BODY ? body : subject;
    pairs.push({ kind: 'commit', group: id, question, passage: { path, defs: [], content } });
    if (pairs.length === MAX_PAIRS) break;
  }
  return pairs;
}

/** Returns the longest change in its new form, below git's line of context. */
function largestHunk(file: string): string {
  const [hunk = ''] = file
    .split(/^@@ /m)
    .slice(1)
    .sort((a, b) => b.length - a.length);
  const [head = '', ...lines] = hunk.split('\n');
  const surroundings = (head.split('@@')[1] ?? '').trim();
  const after = lines.filter((line) => !/^[-\\]/.test(line)).map((line) => line.slice(1));
  return [surroundings, ...after].join('\n');
}

/** Reports whether a sync never reads the file. */
function isSecret(path: string): boolean {
  return secretMark(basename(path)) !== undefined || carriesSecret(path);
}
