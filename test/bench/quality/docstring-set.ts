import { git, takeDocstrings } from '#distil';
import type { ParsedDocument } from '#ingest';

import type { LabeledQuery } from './labels.js';
import { type QuerySet, sample } from './query-set.js';
import { readCode } from './read-code.js';

const MIN_WORDS = 4;
const MAX_WORDS = 40;

/**
 * First sentences of comments that document a function, with the function as the answer. The
 * comments are taken out of what is indexed. A sentence that names the function, or that two
 * functions share, is left out.
 */
export function docstringSet(
  name: string,
  gitFolder: string,
  commit: string,
  limit: number,
): QuerySet {
  const revision = git(
    gitFolder,
    'rev-parse',
    '--verify',
    '--end-of-options',
    `${commit}^{commit}`,
  ).trim();
  const bare = (): (ParsedDocument & { queries: LabeledQuery[] })[] =>
    readCode(gitFolder, revision).map((document) => {
      const { text, functions } = takeDocstrings(document.language, document.text);
      const queries = functions.flatMap(({ name: defined, comment, line }) => {
        const query = question(comment, defined);
        const targets = [{ path: document.path, startLine: line, endLine: line }];
        return query === undefined ? [] : [{ query, category: document.language, targets }];
      });
      return { ...document, text, queries };
    });
  const all = bare().flatMap(({ queries }) => queries);
  const times = Map.groupBy(all, ({ query }) => query.toLowerCase());
  const unique = all.filter(({ query }) => times.get(query.toLowerCase())?.length === 1);
  return { name, revision, queries: sample(unique, limit), documents: bare };
}

/**
 * The first sentence without markup; undefined where it is no question that the function answers.
 */
function question(comment: string, defined: string): string | undefined {
  const [paragraph = ''] = comment.trim().split(/\n\s*\n|\n\s*[@:#]/);
  const [sentence = ''] = paragraph.replace(/\s+/g, ' ').split(/(?<=[.!?])\s/);
  const plain = sentence.replace(
    /\{@\w+ ([^}]*)\}|<[^>]*>|[`*[\]]/g,
    (_, inner: string | undefined) => inner ?? '',
  );
  const text = plain.replace(/[.:]$/, '').trim();
  const withoutName = text.startsWith(`${defined} `) ? text.slice(defined.length + 1) : text;
  const words = withoutName.split(' ').length;
  if (words < MIN_WORDS || words > MAX_WORDS || /^[@:]/.test(withoutName)) return undefined;
  return new RegExp(`\\b${defined.replaceAll('$', '\\$')}\\b`, 'i').test(withoutName)
    ? undefined
    : withoutName;
}
