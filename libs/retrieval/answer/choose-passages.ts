import { coveredShare, termWeights } from '../ranking/lexical-score.js';
import type { CorpusStatistics, RankCandidate, RankedChunk } from '../ranking/rank.types.js';
import { numberFiles } from '../ranking/scored.js';

/** Limits of the passages for an answer. */
export interface PassageLimits {
  /** Documents (files, pages) that passages are taken from. */
  readonly documents: number;
  /** Tokens of all passages together; the best one is taken whatever its size. */
  readonly tokens: number;
  /** Passages. */
  readonly passages: number;
}

/**
 * Weight of a passage's own evidence. Its score also depends on its file, its names and its path.
 */
const OWN_EVIDENCE = 0.5;
/** Share of the best passage's value below which a passage is left out, even if there is room. */
const LEAST_SHARE = 0.5;

type Ranked = RankedChunk<RankCandidate & { readonly tokenCount: number }>;

/**
 * Returns the passages for an answer, best first. A list of results leaves room for many files. An
 * answer needs the exact lines, which are often not the first results of the right file. So a
 * file's further passages are not ranked lower here, and the evidence of a passage itself counts
 * more. That evidence is its similarity in meaning and its terms of the question, above all the
 * rare ones. The same ranking always gives the same passages.
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
    // Equal passages stay in the order of the ranking.
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
