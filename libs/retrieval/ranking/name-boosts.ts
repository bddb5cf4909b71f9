import type { AnalyzedQuery } from '../analysis/analyze-query.js';
import { OPENAPI } from './chunk-type.js';
import { operationTerms } from './operation-terms.js';
import { flatName, type PathFacts } from './path-facts.js';
import { NameMatcher } from './path-match.js';
import type { CorpusStatistics } from './rank.types.js';
import type { RankTable } from './rank-table.js';
import { bump } from './scored.js';
import { plainSentenceShare, sentenceShare } from './sentence-share.js';
import { WEIGHTS } from './weights.js';

const NO_FILES: ReadonlySet<number> = new Set();

/**
 * Boosts results that the query names: the definition of an identifier, or a file whose name and
 * folder match the query.
 */
export function boostNames(
  query: AnalyzedQuery,
  table: RankTable,
  statistics: CorpusStatistics,
): void {
  if (query.identifier !== undefined) boostDefinition(query.identifier, table);
  else boostPathAndMentions(query, table.bitsOf(mentions(query, statistics)), table);
}

function boostDefinition(identifier: string, table: RankTable): void {
  const { entries, files, facts, defined, score } = table;
  const bit = table.bitsOf([identifier]);
  const plain = flatName(identifier);
  const haveStem = facts.map(({ flatStem }) => flatStem === plain);
  for (let i = 0; i < entries.length; i += 1) {
    const at = entries[i] as number;
    const hasStem = haveStem[files[at] as number] === true;
    const strength =
      ((defined[at] as number) & bit) !== 0
        ? hasStem
          ? WEIGHTS.definedInOwnFile
          : WEIGHTS.definedName
        : hasStem
          ? WEIGHTS.fileOfName
          : undefined;
    if (strength !== undefined) score[at] = bump(score[at] as number, strength);
  }
}

/** @param mentioned names that the query mentions, as bits of `RankTable.defined` */
function boostPathAndMentions(query: AnalyzedQuery, mentioned: number, table: RankTable): void {
  const { input, entries, files, defined, score } = table;
  const matches = input.memory.floats(table.fileCount).fill(NaN);
  const matcher = new NameMatcher(query.terms);
  const ofSentence = strengthFor(sentenceShare(query), WEIGHTS.pathOfSentence);
  const ofOperation = strengthFor(plainSentenceShare(query), WEIGHTS.operationOfSentence);
  const named = ofSentence < WEIGHTS.pathOfWords ? namedFiles(query, mentioned, table) : NO_FILES;
  for (let i = 0; i < entries.length; i += 1) {
    const at = entries[i] as number;
    const file = files[at] as number;
    const isOperation = input.chunkTypes[at] === OPENAPI;
    let match = matches[file] as number;
    // The first chunk of a file decides for all of them.
    if (Number.isNaN(match))
      matches[file] = match = isOperation
        ? operationMatch(matcher, table, at)
        : pathMatch(matcher, table.facts[file] as PathFacts);
    if (match !== 0) {
      const own = isOperation ? ofOperation : ofSentence;
      const strength = named.has(file) ? WEIGHTS.pathOfWords : own;
      const before = score[at] as number;
      score[at] =
        before + strength * match * Math.min(1 - before, WEIGHTS.pathOverEvidence * before);
    }
    if (((defined[at] as number) & mentioned) !== 0)
      score[at] = bump(score[at] as number, WEIGHTS.mentionedDefinition);
  }
}

/** Returns the weight of the words of a name: between that of a few words and of a sentence. */
function strengthFor(share: number, ofSentence: number): number {
  return WEIGHTS.pathOfWords + (ofSentence - WEIGHTS.pathOfWords) * share;
}

/**
 * Returns the files that a sentence names: by their path, or by a mentioned name that they define.
 */
function namedFiles(
  { identifiers }: AnalyzedQuery,
  mentioned: number,
  { entries, files, facts, defined }: RankTable,
): ReadonlySet<number> {
  const ends = identifiers
    .filter((name) => /[./]/.test(name))
    .map((name) => `/${name.toLowerCase()}`);
  if (ends.length === 0 && mentioned === 0) return NO_FILES;
  const named = new Set<number>();
  for (let i = 0; i < entries.length; i += 1) {
    const at = entries[i] as number;
    if (((defined[at] as number) & mentioned) !== 0) named.add(files[at] as number);
  }
  if (ends.length > 0) {
    facts.forEach((path, file) => {
      if (ends.some((end) => path.endsWith(end))) named.add(file);
    });
  }
  return named;
}

/** Returns how well the name of a file matches. */
function pathMatch(matcher: NameMatcher, path: PathFacts): number {
  return matcher.canMatch(path.firsts) ? matcher.match(path.terms) : 0;
}

/** Returns how well the name of an operation matches. */
function operationMatch(matcher: NameMatcher, { input }: RankTable, at: number): number {
  const terms = operationTerms(input.endpointKey(at), input.symbol(at));
  return matcher.match(terms, WEIGHTS.unmatchedOperationName);
}

/** Returns the names that the query mentions, without those in most chunks. */
function mentions(
  { identifiers, capitalised, terms }: AnalyzedQuery,
  { documentFrequencies, chunks }: CorpusStatistics,
): readonly string[] {
  return identifiers.filter((name) => {
    const term = capitalised.get(name);
    return (
      term === undefined ||
      (documentFrequencies[terms.indexOf(term)] ?? 0) <= WEIGHTS.commonNameShare * chunks
    );
  });
}

/**
 * Returns the files that a query names only by file name or the end of their path (`sessions.py`,
 * `flask/sessions.py`), in upper or lower case. The paths of the results decide, not a list of
 * extensions: `Session.get` stays a qualified name where no file has that name.
 */
export function askedFiles({ text }: AnalyzedQuery, { facts }: RankTable): ReadonlySet<number> {
  const asked = text.trim().replace(/^(?:\.?\/)+/, '');
  if (/\s/.test(asked) || !/[./]/.test(asked)) return NO_FILES;
  const end = `/${asked.toLowerCase()}`;
  return new Set(facts.flatMap((path, file) => (path.endsWith(end) ? [file] : [])));
}

/**
 * Boosts the endpoints and operations that the query spells out, as files that are named by their
 * path.
 */
export function boostSpelledOut({ spelled }: AnalyzedQuery, table: RankTable): void {
  const bits = table.bitsOf(spelled);
  if (bits === 0) return;
  const { entries, defined, score } = table;
  for (let i = 0; i < entries.length; i += 1) {
    const at = entries[i] as number;
    if (((defined[at] as number) & bits) !== 0)
      score[at] = bump(score[at] as number, WEIGHTS.requestedOperation);
  }
}

/** Boosts the files that the query names by their path. */
export function boostAskedFiles(
  asked: ReadonlySet<number>,
  { entries, files, score }: RankTable,
): void {
  if (asked.size === 0) return;
  for (let i = 0; i < entries.length; i += 1) {
    const at = entries[i] as number;
    if (asked.has(files[at] as number))
      score[at] = bump(score[at] as number, WEIGHTS.requestedFile);
  }
}
