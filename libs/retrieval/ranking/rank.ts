import type { AnalyzedQuery } from '../analysis/analyze-query.js';
import { answerability, multiplyOdds } from './answerability.js';
import { collapseRepeats } from './collapse.js';
import { Copies } from './copies.js';
import { boostCoherentFiles, boostCoveringFiles, saturateFiles } from './file-steps.js';
import { lexicalScorer } from './lexical-score.js';
import { askedFiles, boostAskedFiles, boostNames, boostSpelledOut } from './name-boosts.js';
import { namedPlaces } from './named-places.js';
import { applyPathPriors } from './path-priors.js';
import { queryLanguage } from './query-language.js';
import type {
  CorpusStatistics,
  RankCandidate,
  RankedChunk,
  RankOptions,
  RankStep,
  SimilarityRange,
} from './rank.types.js';
import { rankedChunk } from './ranked-chunk.js';
import { ScoreExplanation } from './score-explanation.js';
import { byId, byRank, definesAny, groupByFile, numberFiles, type Scored } from './scored.js';
import { coverageShare } from './sentence-share.js';
import { collapseTranslations } from './translations.js';

/**
 * Scores and orders the candidates of the retrievers. Scores are absolute: 0–1 before the source
 * priority, comparable between queries, so that thresholds have a meaning. Leaves out irrelevant
 * candidates. One is irrelevant with a score of 0 (a priority of 0 included). It is also irrelevant
 * without a query term, without a definition of a name in the query, and with a similarity under
 * the model's floor. The same input always gives the same list.
 */
export function rank<C extends RankCandidate>(
  query: AnalyzedQuery,
  candidates: readonly C[],
  statistics: CorpusStatistics,
  options: RankOptions,
): RankedChunk<C>[] {
  const { kept, copies, explanation } = rankEntries(query, candidates, statistics, options);
  return kept.map((entry) =>
    rankedChunk(entry, copies.of(entry.candidate), explanation?.of(entry.candidate)),
  );
}

/** A ranking before it has objects of its own. */
export interface RankedEntries<C extends RankCandidate> {
  /** Best first. */
  readonly kept: readonly Scored<C>[];
  readonly copies: Copies<C>;
  /** Undefined without `RankOptions.explain`. */
  readonly explanation: ScoreExplanation<C> | undefined;
}

/** Ranks as {@link rank}, for callers that copy the values elsewhere. */
export function rankEntries<C extends RankCandidate>(
  query: AnalyzedQuery,
  candidates: readonly C[],
  statistics: CorpusStatistics,
  options: RankOptions,
): RankedEntries<C> {
  const sourceOf = oncePerKey(options.sourceOf);
  const names = query.identifiers.filter((name) => !query.capitalised.has(name));
  const profileOf = oncePerKey(options.profileOf);
  const lexicalScore = lexicalScorer(statistics);
  const fileOf = numberFiles();
  const relevant = candidates.filter((candidate) =>
    isRelevant(candidate, names, profileOf(candidate.cosineModel).similarityFloor),
  );
  // Sums of floating-point numbers depend on their order.
  const scored = orderedById(relevant).map((candidate): Scored<C> => {
    const lexical = lexicalScore(candidate.termFrequencies, candidate.length);
    const { weights, similarityRange } = profileOf(candidate.cosineModel);
    const semantic = calibrated(candidate.cosine, similarityRange);
    const score = weights.lexical * lexical + weights.semantic * semantic;
    return {
      candidate,
      file: fileOf(candidate),
      source: sourceOf(candidate.sourceId),
      lexical,
      semantic,
      combined: score,
      score,
    };
  });
  const files = groupByFile(scored);

  const explanation = options.explain ? new ScoreExplanation<C>() : undefined;
  explanation?.recordRetrievers(
    scored,
    ({ cosineModel }) => profileOf(cosineModel).weights.lexical,
  );

  const takes = (step: RankStep): boolean => !options.without?.has(step);
  const asked = askedFiles(query, scored);
  if (takes('names')) {
    boostNames(query, scored, statistics);
    boostAskedFiles(asked, scored);
    boostSpelledOut(query, scored);
    explanation?.record('names', scored);
  }
  if (takes('coherence')) boostCoherentFiles(files);
  explanation?.record('coherence', scored);
  if (takes('coverage')) boostCoveringFiles(files, statistics, coverageShare(query));
  explanation?.record('coverage', scored);
  if (takes('priors'))
    applyPathPriors(scored, {
      names,
      asked,
      places: namedPlaces(query.text, options.pathPatterns),
    });
  explanation?.record('priors', scored);
  if (options.searched && asked.size === 0 && takes('answerability')) {
    const { chunks } = options.searched;
    multiplyOdds(
      scored,
      answerability(query, candidates, names, { statistics, chunks, profileOf }),
    );
    explanation?.record('answerability', scored);
  }

  for (const entry of scored) {
    entry.combined = entry.score;
    entry.score *= entry.source.priority;
  }
  explanation?.record('priority', scored);
  const ranked = takes('saturation')
    ? saturateFiles(files)
    : scored.filter(({ score }) => score > 0).sort(byRank);
  explanation?.record('saturation', ranked);
  const copies = new Copies<C>();
  const translated = collapseTranslations(ranked, queryLanguage(query.text), copies.add);
  return { kept: collapseRepeats(translated, copies.add), copies, explanation };
}

/** Sorts candidates by id, in place; an engine mostly returns them in that order. */
function orderedById<C extends RankCandidate>(candidates: C[]): C[] {
  for (let at = 1; at < candidates.length; at += 1)
    if (byId(candidates[at - 1] as C, candidates[at] as C) > 0) return candidates.sort(byId);
  return candidates;
}

/** Calls a function once for each key; most candidates have the key of the one before. */
function oncePerKey<K, V extends object>(compute: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  let lastKey: K | undefined;
  let last: V | undefined;
  return (key) => {
    if (last && key === lastKey) return last;
    let value = known.get(key);
    if (!value) known.set(key, (value = compute(key)));
    [lastKey, last] = [key, value];
    return value;
  };
}

function calibrated(cosine: number, { low, high }: SimilarityRange): number {
  return Math.min(1, Math.max(0, (cosine - low) / (high - low)));
}

/**
 * Returns whether a query term is found, a name of the query is defined, or the similarity reaches
 * the model's floor.
 */
function isRelevant(
  candidate: RankCandidate,
  names: readonly string[],
  similarityFloor: number,
): boolean {
  for (let i = 0; i < candidate.termFrequencies.length; i++)
    if ((candidate.termFrequencies[i] ?? 0) > 0) return true;
  return candidate.cosine >= similarityFloor || definesAny(candidate, names);
}
