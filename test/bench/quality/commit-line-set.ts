import { git, plainSubject } from '#distil';

import { addedRanges, type LineRange, mapForward } from './diff-lines.js';
import { sample } from './query-set.js';
import type { AnswerPlace, Question, QuestionSet } from './question-set.js';
import { readCode } from './read-code.js';

const MAX_FILES = 3;
const MAX_LINES = 160;
const MIN_SURVIVING_SHARE = 0.6;
const [MIN_WORDS, MAX_WORDS] = [5, 32];
/** Commits read at most, newest first, and tried at most for each question that is kept. */
const MOST_COMMITS = 4_000;
const TRIES_A_QUESTION = 4;

const CHORE =
  /\b(?:revert\w*|merge\w*|bump\w*|releas\w*|version\w*|typos?|lint\w*|format(?:ting)?|renam\w*|refactor\w*|clean\w*|tests?|testing|specs?|docs?|documentation|readme|changelog|ci|chore|builds?|deps|dependenc\w*|comments?|co-authored\S*|signed-off\S*)\b/i;
/** A name of the code: of several parts, called, quoted, or with punctuation inside. */
const IDENTIFIER = /[a-z][A-Z]|\w_\w|::|\(\)|[`"'#<>{}=$]|\w[./\\]\w|--\w/;
const NO_CODE =
  /(?:^|\/)(?:tests?|specs?|__tests__|testing|docs?|examples?|bench\w*)\/|[._-](?:test|spec)s?\.|_test\b|Tests?\.\w+$/i;

/**
 * Subjects and first body sentences of commits as questions, with the lines that they added as the
 * answer. Lines are mapped to HEAD, which is indexed; the commit's other files are acceptable.
 * Excludes chores, sentences with identifiers, and changes of more than three files of code.
 */
export function commitLineSet(name: string, gitFolder: string, limit: number): QuestionSet {
  const revision = git(gitFolder, 'rev-parse', 'HEAD').trim();
  const known = new Set(readCode(gitFolder, revision).map(({ path }) => path));
  const asked = sentencesOf(gitFolder);
  const questions: Question[] = [];
  for (const { commit, sentence } of sample(asked, limit * TRIES_A_QUESTION)) {
    const places = placesOf(gitFolder, commit, revision, known);
    if (!places) continue;
    const id = `${name}-${commit.slice(0, 10)}`;
    questions.push({ id, kind: 'where', question: sentence, ...places });
    if (questions.length === limit) break;
  }
  const documents = () => readCode(gitFolder, revision);
  return { repository: name, url: '', revision, half: 'choosing', questions, documents };
}

/** Returns a question for each commit that has one. */
function sentencesOf(gitFolder: string): { readonly commit: string; readonly sentence: string }[] {
  const log = git(
    gitFolder,
    'log',
    '--no-merges',
    `--max-count=${MOST_COMMITS}`,
    '--format=%H%x00%s%x00%b%x01',
  );
  const seen = new Set<string>();
  return log.split('\u0001').flatMap((entry) => {
    const [commit = '', subject = '', body = ''] = entry.trim().split('\0');
    const [paragraph = ''] = body.trim().split(/\n\s*\n/);
    const [first = ''] = paragraph.replace(/\s+/g, ' ').split(/(?<=[.!?])\s/);
    const sentence = [first, plainSubject(subject)].map((text) => text.trim()).find(isQuestion);
    if (sentence === undefined || CHORE.test(subject) || seen.has(sentence)) return [];
    seen.add(sentence);
    return [{ commit, sentence }];
  });
}

function isQuestion(text: string): boolean {
  const words = text.split(/\s+/).length;
  return words >= MIN_WORDS && words <= MAX_WORDS && !CHORE.test(text) && !IDENTIFIER.test(text);
}

function placesOf(
  gitFolder: string,
  commit: string,
  revision: string,
  known: ReadonlySet<string>,
): Pick<Question, 'primary' | 'acceptable'> | undefined {
  const added = addedRanges(git(gitFolder, 'show', '-U0', '--no-renames', '--format=', commit));
  const code = [...added].filter(([path]) => known.has(path) && !NO_CODE.test(path));
  const lines = code.reduce((sum, [, ranges]) => sum + countLines(ranges), 0);
  if (code.length === 0 || code.length > MAX_FILES || lines > MAX_LINES) return undefined;
  const since = git(
    gitFolder,
    'diff',
    '-U0',
    '--no-renames',
    commit,
    revision,
    '--',
    ...code.map(([path]) => path),
  );
  const mapped = code.map(([path, ranges]) => [path, mapForward(ranges, since, path)] as const);
  const surviving = mapped.reduce((sum, [, ranges]) => sum + countLines(ranges), 0);
  if (surviving < MIN_SURVIVING_SHARE * lines) return undefined;
  const primary = mapped.flatMap(([path, ranges]) =>
    ranges.map((range): AnswerPlace => ({ path, lines: range })),
  );
  const right = new Set(primary.map(({ path }) => path));
  const others = [...added.keys()].filter((path) => known.has(path) && !right.has(path));
  return { primary, acceptable: others.map((path) => ({ path })) };
}

function countLines(ranges: readonly LineRange[]): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}
