import type { AnalyzedQuery } from '../analysis/analyze-query.js';
import { operationTerms } from './operation-terms.js';
import { fileStem, pathMatch, pathTerms } from './path-match.js';
import type { CorpusStatistics, RankCandidate } from './rank.types.js';
import { bump, definesAny, type Scored } from './scored.js';
import { plainSentenceShare, sentenceShare } from './sentence-share.js';
import { WEIGHTS } from './weights.js';

const NO_FILES: ReadonlySet<number> = new Set();

/**
 * Boosts results that the query names: the definition of an identifier, or a file whose name and
 * folder match the query.
 */
export function boostNames<C extends RankCandidate>(
  query: AnalyzedQuery,
  scored: readonly Scored<C>[],
  statistics: CorpusStatistics,
): void {
  if (query.identifier !== undefined) boostDefinition(query.identifier, scored);
  else boostPathAndMentions(query, mentions(query, statistics), scored);
}

function boostDefinition<C extends RankCandidate>(
  identifier: string,
  scored: readonly Scored<C>[],
): void {
  const plain = flat(identifier);
  const stems = new Map<number, boolean>();
  for (const entry of scored) {
    let sameStem = stems.get(entry.file);
    if (sameStem === undefined)
      stems.set(entry.file, (sameStem = flat(fileStem(entry.candidate.path)) === plain));
    if (entry.candidate.defines(identifier)) {
      entry.score = bump(entry.score, sameStem ? WEIGHTS.definedInOwnFile : WEIGHTS.definedName);
    } else if (sameStem) entry.score = bump(entry.score, WEIGHTS.fileOfName);
  }
}

function boostPathAndMentions<C extends RankCandidate>(
  query: AnalyzedQuery,
  mentioned: readonly string[],
  scored: readonly Scored<C>[],
): void {
  const matches: number[] = [];
  const ofSentence = strengthFor(sentenceShare(query), WEIGHTS.pathOfSentence);
  const ofOperation = strengthFor(plainSentenceShare(query), WEIGHTS.operationOfSentence);
  const named = ofSentence < WEIGHTS.pathOfWords ? namedFiles(query, mentioned, scored) : NO_FILES;
  for (const entry of scored) {
    const { candidate, file } = entry;
    const match = (matches[file] ??= nameMatch(query.terms, candidate));
    const ofName = candidate.chunkType === 'openapi' ? ofOperation : ofSentence;
    const strength = named.has(file) ? WEIGHTS.pathOfWords : ofName;
    entry.score +=
      strength * match * Math.min(1 - entry.score, WEIGHTS.pathOverEvidence * entry.score);
    if (definesAny(candidate, mentioned))
      entry.score = bump(entry.score, WEIGHTS.mentionedDefinition);
  }
}

/** Returns the weight of the words of a name: between that of a few words and of a sentence. */
function strengthFor(share: number, ofSentence: number): number {
  return WEIGHTS.pathOfWords + (ofSentence - WEIGHTS.pathOfWords) * share;
}

/**
 * Returns the files that a sentence names: by their path, or by a mentioned name that they define.
 */
function namedFiles<C extends RankCandidate>(
  { identifiers }: AnalyzedQuery,
  mentioned: readonly string[],
  scored: readonly Scored<C>[],
): ReadonlySet<number> {
  const ends = identifiers
    .filter((name) => /[./]/.test(name))
    .map((name) => `/${name.toLowerCase()}`);
  if (ends.length === 0 && mentioned.length === 0) return NO_FILES;
  const named = new Set<number>();
  const looked = new Set<number>();
  for (const { candidate, file } of scored) {
    if (named.has(file)) continue;
    if (definesAny(candidate, mentioned)) named.add(file);
    else if (ends.length > 0 && !looked.has(file)) {
      looked.add(file);
      const path = `/${candidate.path.toLowerCase()}`;
      if (ends.some((end) => path.endsWith(end))) named.add(file);
    }
  }
  return named;
}

/** Returns how well the name of a file or an operation matches. */
function nameMatch(terms: readonly string[], candidate: RankCandidate): number {
  // Fields are decoded when they are read, so only those of an operation's name.
  if (candidate.chunkType !== 'openapi') return pathMatch(terms, pathTerms(candidate.path));
  const { endpointKey, symbol } = candidate;
  return pathMatch(terms, operationTerms(endpointKey, symbol), WEIGHTS.unmatchedOperationName);
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
export function askedFiles<C extends RankCandidate>(
  { text }: AnalyzedQuery,
  scored: readonly Scored<C>[],
): ReadonlySet<number> {
  const asked = text.trim().replace(/^(?:\.?\/)+/, '');
  if (/\s/.test(asked) || !/[./]/.test(asked)) return new Set();
  const end = `/${asked.toLowerCase()}`;
  const files = scored.filter(({ candidate }) => `/${candidate.path.toLowerCase()}`.endsWith(end));
  return new Set(files.map(({ file }) => file));
}

/**
 * Boosts the endpoints and operations that the query spells out, as files that are named by their
 * path.
 */
export function boostSpelledOut<C extends RankCandidate>(
  { spelled }: AnalyzedQuery,
  scored: readonly Scored<C>[],
): void {
  if (spelled.length === 0) return;
  for (const entry of scored) {
    if (definesAny(entry.candidate, spelled))
      entry.score = bump(entry.score, WEIGHTS.requestedOperation);
  }
}

export function boostAskedFiles<C extends RankCandidate>(
  asked: ReadonlySet<number>,
  scored: readonly Scored<C>[],
): void {
  if (asked.size === 0) return;
  for (const entry of scored)
    if (asked.has(entry.file)) entry.score = bump(entry.score, WEIGHTS.requestedFile);
}

function flat(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}
