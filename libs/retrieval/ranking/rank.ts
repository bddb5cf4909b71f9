import type { AnalyzedQuery } from '../analysis/analyze-query.js';
import { answerability, multiplyOdds } from './answerability.js';
import { collapseRepeats } from './collapse.js';
import { Copies } from './copies.js';
import { boostCoherentFiles, boostCoveringFiles, saturateFiles } from './file-steps.js';
import { lexicalScorer } from './lexical-score.js';
import { askedFiles, boostAskedFiles, boostNames, boostSpelledOut } from './name-boosts.js';
import { applyPathPriors, wordsOf } from './path-priors.js';
import { queryLanguage } from './query-language.js';
import type {
  CorpusStatistics,
  ModelProfile,
  RankCandidate,
  RankedChunk,
  RankOptions,
  RankStep,
  SimilarityRange,
} from './rank.types.js';
import { ScoreExplanation } from './score-explanation.js';
import { byRank, definesAny, numberFiles, type Scored } from './scored.js';
import { plainSentenceShare } from './sentence-share.js';
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
  const { sourceOf } = options;
  const names = query.identifiers.filter((name) => !query.capitalised.has(name));
  const profileOf = onceAModel(options.profileOf);
  const lexicalScore = lexicalScorer(statistics);
  const fileOf = numberFiles();
  const scored = candidates
    .filter((candidate) =>
      isRelevant(candidate, names, profileOf(candidate.cosineModel).similarityFloor),
    )
    // Sums of floating-point numbers depend on their order.
    .sort((a, b) => (a.chunkId < b.chunkId ? -1 : 1))
    .map((candidate): Scored<C> => {
      const lexical = lexicalScore(candidate.termFrequencies, candidate.length);
      const { weights, similarityRange } = profileOf(candidate.cosineModel);
      const semantic = calibrated(candidate.cosine, similarityRange);
      const score = weights.lexical * lexical + weights.semantic * semantic;
      return { candidate, file: fileOf(candidate), lexical, semantic, combined: score, score };
    });

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
  if (takes('coherence')) boostCoherentFiles(scored);
  explanation?.record('coherence', scored);
  if (takes('coverage')) boostCoveringFiles(scored, statistics, plainSentenceShare(query));
  explanation?.record('coverage', scored);
  if (takes('priors'))
    applyPathPriors(scored, (sourceId) => sourceOf(sourceId).isRepository, {
      names,
      asked,
      words: wordsOf([query.text, ...(options.pathPatterns ?? [])]),
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
    entry.score *= sourceOf(entry.candidate.sourceId).priority;
  }
  explanation?.record('priority', scored);
  const found = scored.filter(({ score }) => score > 0);
  const ranked = takes('saturation') ? saturateFiles(found) : found.sort(byRank);
  explanation?.record('saturation', ranked);
  const copies = new Copies<C>();
  const translated = collapseTranslations(ranked, queryLanguage(query.text), copies.add);
  const kept = collapseRepeats(
    translated.map((entry) => ({ ...entry, source: sourceOf(entry.candidate.sourceId) })),
    copies.add,
  );
  return kept.map(({ candidate, score, source, lexical, semantic, combined }): RankedChunk<C> => {
    const others = copies.of(candidate);
    return {
      candidate,
      score,
      priority: source.priority,
      source,
      legs: { lexical, semantic, combined },
      ...(others.length > 0 && { copies: others }),
      ...(explanation && { contributions: explanation.of(candidate) }),
    };
  });
}

function onceAModel(profileOf: RankOptions['profileOf']): RankOptions['profileOf'] {
  const known = new Map<string | undefined, ModelProfile>();
  return (model) => {
    let profile = known.get(model);
    if (!profile) known.set(model, (profile = profileOf(model)));
    return profile;
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
