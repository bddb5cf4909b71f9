import { BM25_B, BM25_K1, inverseDocumentFrequency } from '#retrieval/ranking/lexical-score';

import { isDropped } from '../../pack/dropped-bitmap.js';
import type { Candidates } from '../../search-index.port.js';
import type { Accepts } from './accepted-chunks.js';
import { listedRetriever } from './listed-retriever.js';
import { BLOCK_POSTINGS, type PostingRange, type QueryTerms } from './query-terms.js';
import type { ScanPace, Steps } from './scan-pace.js';
import type { Scratch } from './scratch.js';
import type { SearchScope } from './search-scope.js';
import type { SearchedView, ViewRange } from './searched-view.js';
import { TopChunks } from './top-chunks.js';
import { type TermWeight, WordScores } from './word-scores.js';

/** Work of offering a chunk, and of a range without any of the terms, in nanoseconds. */
const [UNITS_AN_OFFER, UNITS_A_RANGE] = [50, 20];

export interface LexicalRetrieverInput {
  readonly lookup: QueryTerms;
  readonly statistics: Candidates['statistics'];
  readonly limit: number;
  readonly accepts: Accepts;
  readonly pace: ScanPace;
}

/** The chunks that the words of a query find. */
interface FoundByWords {
  readonly byTerms: TopChunks;
  readonly byDefinition: TopChunks;
}

/**
 * Runs BM25, term at a time, over the scope, and scores the chunks that define one of the
 * identifiers alike. A retriever that does not end leaves scores behind, which cannot be reused
 * then.
 */
export function* lexicalRetriever(
  scope: SearchScope,
  scratch: Pick<Scratch, 'words' | 'places'>,
  input: LexicalRetrieverInput,
): Steps<FoundByWords> {
  const found = { byTerms: new TopChunks(input.limit), byDefinition: new TopChunks(input.limit) };
  const weights = termWeights(input.statistics);
  const { read, others } = input.lookup.divide(scope);
  for (const group of read)
    yield* listedRetriever(group, scratch.places, { ...input, weights }, found);
  for (const range of others) yield* inOnePack(range, scratch.words, weights, input, found);
  return found;
}

function* inOnePack(
  range: ViewRange,
  scores: WordScores,
  weights: readonly TermWeight[],
  input: LexicalRetrieverInput,
  { byTerms, byDefinition }: FoundByWords,
): Steps<void> {
  const { view } = range;
  const { pace } = input;
  pace.spend(UNITS_A_RANGE);
  if (pace.isDue) yield;
  scores.begin(view.segment);
  yield* accumulate(range, scores, weights, input);
  yield* offerScored(view, scores, byTerms, input);
  const definers = input.lookup.definersIn(view.segment);
  for (const chunk of definers.length > 0 ? yield* inRange(range, definers, pace) : []) {
    if (isDropped(view.dropped, chunk) || !input.accepts(view, chunk)) continue;
    byDefinition.offer(view, chunk, scores.scoreOf(chunk));
    pace.spend(UNITS_AN_OFFER);
    if (pace.isDue) yield;
  }
  scores.end();
}

/** Offers the chunks with a score. */
function* offerScored(
  view: SearchedView,
  scores: WordScores,
  top: TopChunks,
  input: LexicalRetrieverInput,
): Steps<void> {
  const { pace } = input;
  for (let from = 0; from < scores.count; from += WordScores.STEP) {
    const to = Math.min(scores.count, from + WordScores.STEP);
    let found = scores.reaching(from, to, top.threshold);
    pace.spend(2 * (to - from));
    for (;;) {
      const offered = offerFound(view, found, scores, top, input);
      if (!pace.isDue) break;
      // The memory of the found ones belongs to this search, so they stay in the pause.
      found = found.subarray(offered);
      yield;
    }
  }
}

/**
 * Offers found chunks, until the time slice is used up.
 * @returns the number of offered ones.
 */
function offerFound(
  view: SearchedView,
  found: Uint32Array,
  scores: WordScores,
  top: TopChunks,
  { accepts, pace }: LexicalRetrieverInput,
): number {
  let { threshold } = top;
  let at = 0;
  while (at < found.length && !pace.isDue) {
    const chunk = found[at++] as number;
    const score = scores.scoreOf(chunk);
    if (score < threshold || isDropped(view.dropped, chunk) || !accepts(view, chunk)) continue;
    top.offer(view, chunk, score);
    threshold = top.threshold;
  }
  return at;
}

/** Returns the parameters of BM25 for each term, for all ranges of a search. */
function termWeights(statistics: Candidates['statistics']): readonly TermWeight[] {
  const { chunks, averageLength, documentFrequencies } = statistics;
  const base = BM25_K1 * (1 - BM25_B);
  const slope = (BM25_K1 * BM25_B) / (averageLength || 1);
  return documentFrequencies.map((frequency) => ({
    idf: inverseDocumentFrequency(chunks, frequency),
    base,
    slope,
  }));
}

/** Adds up the shares of all terms. */
function* accumulate(
  range: ViewRange,
  scores: WordScores,
  weights: readonly TermWeight[],
  { lookup, pace }: LexicalRetrieverInput,
): Steps<void> {
  const postings = lookup.postingsOf(range);
  for (let term = 0; term < postings.length; term += 1) {
    const { from, to } = postings[term] as PostingRange;
    for (let at = from; at < to; at += BLOCK_POSTINGS) {
      const end = Math.min(to, at + BLOCK_POSTINGS);
      scores.add({ from: at, to: end }, weights[term] as TermWeight);
      pace.spend(3 * (end - at));
      if (pace.isDue) yield;
    }
  }
}

/** Returns the chunks of some lists that a range has, each once. */
function* inRange(
  { from, to }: ViewRange,
  lists: readonly Uint32Array[],
  pace: ScanPace,
): Steps<ReadonlySet<number>> {
  const chunks = new Set<number>();
  for (const list of lists) {
    for (const chunk of list) if (chunk >= from && chunk < to) chunks.add(chunk);
    pace.spend(UNITS_AN_OFFER * (1 + list.length));
    if (pace.isDue) yield;
  }
  return chunks;
}
