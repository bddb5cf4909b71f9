import { analyze, analyzeQuery, visibleText } from '#retrieval';

import type { Understanding } from './question.types.js';
import { kindOf } from './question-kind.js';
import { isPath, pathsIn, repositoriesIn } from './question-places.js';

/** Maximum entries of each list. */
const MOST = 8;
const SPAN = /`([^`\n]{1,200})`|"([^"\n]{1,200})"|“([^”\n]{1,200})”/g;
const IDENTIFIER =
  /^[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*){0,5}(?:\(\))?$/u;
const QUALIFIED =
  /(?<![\w$./:@-])[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*){1,5}(?:\(\))?(?![\w$/])/g;
const CALL = /(?<![\w$./:])[A-Za-z_$][\w$]*\(\)/g;
const ERROR_NAME =
  /(?<![\w$])(?:[A-Za-z_$][\w$]*(?:Error|Exception|Failure)|E[A-Z]{3,12})(?![\w$])/g;
const ERROR_TEXT =
  /\b(?:errors?|exceptions?|fail(?:ed|s|ure)?|cannot|invalid|not found|unable|must be|unexpected|denied|refused)\b/i;
const SCOPED_PACKAGE = /(?<![\w@/.-])@[a-z0-9][\w.-]{0,100}\/[a-z0-9][\w.-]{0,100}/g;
const NAMED_PACKAGE =
  /\b(?:package|crate|module|library|dependency|gem)\s+`?([a-zA-Z@][\w@/.-]{1,100})`?/gi;
/** Words after "package" that are no name. */
const NO_PACKAGE: ReadonlySet<string> = new Set([
  'is',
  'are',
  'does',
  'do',
  'that',
  'which',
  'for',
  'of',
  'in',
  'from',
  'to',
  'and',
  'or',
  'manager',
  'managers',
  'name',
  'names',
  'version',
]);

/**
 * Returns what a question asks for, by its text alone.
 *
 * @param repos repositories that the request names, as `owner/name`
 */
export function understand(question: string, repos: readonly string[] = []): Understanding {
  const text = visibleText(question).trim();
  const repositories = distinct([...repos, ...repositoriesIn(text)]);
  const spans = Array.from(text.matchAll(SPAN), ([, code, straight, curly]) =>
    (code ?? straight ?? curly ?? '').trim(),
  ).filter((span) => span !== '');
  const packages = packagesIn(text);
  const paths = pathsIn(text).filter(
    (path) => !repositories.includes(path) && !packages.includes(path),
  );
  const isTaken = (name: string): boolean =>
    isPath(name) ||
    paths.includes(name) ||
    packages.includes(name) ||
    repositories.some((repo) => repo.includes(name) && /^[a-z]+(?:[.-][a-z]+)*$/.test(name));
  const identifiers = distinct(
    [...spans.filter((span) => IDENTIFIER.test(span)), ...names(text)]
      .map((name) => name.replace(/\(\)$/, ''))
      .filter((name) => !isTaken(name) && !paths.some((path) => path.endsWith(name))),
  );
  const quoted = distinct(spans.filter((span) => !IDENTIFIER.test(span) && !isPath(span)));
  return {
    question: text,
    kind: kindOf(text),
    identifiers,
    paths: distinct(paths),
    quoted,
    errors: distinct([
      ...Array.from(text.matchAll(ERROR_NAME), ([name]) => name),
      ...quoted.filter((span) => ERROR_TEXT.test(span)),
    ]),
    packages,
    repositories,
    terms: termsOf(text, repositories),
  };
}

/** Returns qualified names, calls, and names with humps or underscores. */
function names(text: string): string[] {
  const { identifiers, capitalised } = analyzeQuery(text);
  const embedded = identifiers.filter((name) => IDENTIFIER.test(name) && !capitalised.has(name));
  const qualified = Array.from(text.matchAll(QUALIFIED), ([name]) => name);
  const calls = Array.from(text.matchAll(CALL), ([name]) => name);
  const errors = Array.from(text.matchAll(ERROR_NAME), ([name]) => name);
  const whole = [...qualified, ...calls, ...errors];
  // A part of a qualified name is not asked for by itself.
  return [
    ...whole,
    ...embedded.filter((name) => !qualified.some((each) => each.split(/\W+/).includes(name))),
  ];
}

function packagesIn(text: string): string[] {
  const named = Array.from(text.matchAll(NAMED_PACKAGE), ([, name = '']) =>
    name.replace(/[.,]$/, ''),
  );
  return distinct([
    ...Array.from(text.matchAll(SCOPED_PACKAGE), ([name]) => name),
    ...named.filter((name) => !NO_PACKAGE.has(name.toLowerCase())),
  ]);
}

/** Leaves out the names of the repositories: each of their files is about them. */
function termsOf(text: string, repositories: readonly string[]): string[] {
  const own = new Set(repositories.flatMap((repo) => analyze(repo)));
  const { terms } = analyzeQuery(text);
  const left = terms.filter((term) => !own.has(term));
  return left.length > 0 ? left : [...terms];
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, MOST);
}
