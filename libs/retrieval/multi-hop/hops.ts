import { cachedWordTerms } from '../analysis/analyze.js';
import { type AnalyzedQuery, STOP_WORDS } from '../analysis/analyze-query.js';
import { scanWords } from '../analysis/scan-words.js';
import { collapseRanked } from '../ranking/collapse.js';
import { inverseDocumentFrequency } from '../ranking/lexical-score.js';
import type { CorpusStatistics, RankCandidate, RankedChunk } from '../ranking/rank.types.js';
import { byRank } from '../ranking/scored.js';

/** Most words of a chunk that are weighed. */
const MAX_WORDS = 128;
/** Most words that a hop adds: more would drown the question. */
const MAX_ADDED = 5;
const MIN_LENGTH = 3;
const NAME_WEIGHT = 2;

/** The chunk that a hop starts from. */
export interface HopOrigin {
  readonly content: string;
  readonly symbol?: string | undefined;
  readonly defs: readonly string[];
}

/** A word of the origin that is not in the query. */
export interface HopWord {
  readonly word: string;
  /** First index term of the word: the whole word of an identifier. */
  readonly term: string;
  readonly count: number;
  /** Whether the origin has the word as its name or defines it. */
  readonly isName: boolean;
}

/**
 * Returns distinct words that the origin could add to the query: its names first, then its text, at
 * most 128.
 */
export function hopWords(origin: HopOrigin, query: AnalyzedQuery): HopWord[] {
  const asked = new Set(query.terms);
  const words = new Map<string, { word: string; count: number; isName: boolean }>();
  const read = (text: string, isName: boolean): void =>
    scanWords(text, (word) => {
      const [term] = cachedWordTerms(word);
      if (term === undefined || asked.has(term) || word.length < MIN_LENGTH) return;
      if (/^\d/.test(word) || STOP_WORDS.has(word.toLowerCase())) return;
      const known = words.get(term);
      if (known) known.count += 1;
      else if (words.size < MAX_WORDS) words.set(term, { word, count: 1, isName });
    });
  for (const name of [origin.symbol ?? '', ...origin.defs]) read(name, true);
  read(origin.content, false);
  return [...words].map(([term, word]) => ({ term, ...word }));
}

/**
 * Returns the most useful words: rare in the corpus, frequent in the origin, names counting double;
 * at most 5. A word that only one chunk has finds no other chunk. The same input always gives the
 * same words.
 *
 * @param statistics over the words' terms, in their order
 */
export function chooseHopTerms(
  words: readonly HopWord[],
  statistics: Pick<CorpusStatistics, 'chunks' | 'documentFrequencies'>,
): string[] {
  return words
    .map(({ word, count, isName }, at) => {
      const frequency = statistics.documentFrequencies[at] ?? 0;
      const rarity = inverseDocumentFrequency(statistics.chunks, frequency);
      return {
        word,
        frequency,
        weight: rarity * (1 + Math.log(count)) * (isName ? NAME_WEIGHT : 1),
      };
    })
    .filter(({ frequency }) => frequency > 1)
    .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
    .slice(0, MAX_ADDED)
    .map(({ word }) => word);
}

/**
 * Adds the results of a hop to the earlier results. A hop is worth no more than its start: its
 * scores are multiplied by the origin's combined score. They stay absolute, and the origin itself
 * never rises. A chunk found twice has the better score.
 *
 * @returns in rank order, without repeats
 */
export function joinRounds<C extends RankCandidate>(
  found: readonly RankedChunk<C>[],
  hop: readonly RankedChunk<C>[],
  origin: RankedChunk<C>,
): RankedChunk<C>[] {
  const trust = origin.legs.combined;
  const best = new Map(found.map((chunk) => [chunk.candidate.chunkId, chunk]));
  for (const chunk of hop) {
    const known = best.get(chunk.candidate.chunkId);
    const score = chunk.score * trust;
    if (known && known.score >= score) continue;
    const legs = { ...chunk.legs, combined: chunk.legs.combined * trust };
    best.set(chunk.candidate.chunkId, { ...chunk, score, legs });
  }
  return [...collapseRanked([...best.values()].sort(byRank))];
}
