import { coveredShare, termWeights } from '../ranking/lexical-score.js';
import type { CorpusStatistics, RankCandidate, RankedChunk } from '../ranking/rank.types.js';
import { numberFiles } from '../ranking/scored.js';

/** How much an answer may rest on. */
export interface PassageLimits {
  /** Documents (files, pages) that passages are taken from. */
  readonly documents: number;
  /** Tokens of all passages together; the best one is taken whatever it has. */
  readonly tokens: number;
  /** Passages. */
  readonly passages: number;
}

/**
 * What a passage's own evidence counts beside its score, which also knows its file, its names and
 * its path.
 */
const OWN_EVIDENCE = 0.5;
/**
 * A passage that is worth less than this share of the best one is left out, though there were room.
 */
const LEAST_SHARE = 0.5;

type Ranked = RankedChunk<RankCandidate & { readonly tokenCount: number }>;

/**
 * The passages that an answer may rest on, best first. A list of results makes room for many files;
 * an answer wants the lines themselves, and those of a right file are often not the first ones that
 * its file is found by. So a file's further passages are not taken back here, and what a passage
 * itself says of the question counts more: how near it is in meaning, and which of the question's
 * terms it has, the rare ones above all. The same ranking always gives the same passages.
 */
export function choosePassages<R extends Ranked>(
  ranked: readonly R[],
  statistics: CorpusStatistics,
  limits: PassageLimits,
): R[] {
  const wanted = termWeights(statistics);
  const documentOf = numberFiles();
  const valued = ranked
    .map((chunk) => {
      const { candidate, legs, priority } = chunk;
      const own =
        legs.semantic + coveredShare(wanted, (term) => (candidate.termFrequencies[term] ?? 0) > 0);
      return {
        chunk,
        document: documentOf(candidate),
        value: priority * (legs.combined + OWN_EVIDENCE * own),
      };
    })
    // Equals stay in the order of the ranking.
    .sort((a, b) => b.value - a.value);
  const least = LEAST_SHARE * (valued[0]?.value ?? 0);
  const documents = new Set<number>();
  const taken: R[] = [];
  let tokens = 0;
  for (const { chunk, document, value } of valued) {
    if (value < least || taken.length >= limits.passages) break;
    if (!documents.has(document) && documents.size >= limits.documents) continue;
    const { tokenCount } = chunk.candidate;
    if (taken.length > 0 && tokens + tokenCount > limits.tokens) continue;
    tokens += tokenCount;
    documents.add(document);
    taken.push(chunk);
  }
  return taken;
}
