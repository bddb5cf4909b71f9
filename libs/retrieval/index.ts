export { extractiveAnswer, type Passage, type Quote } from './answer/extractive-answer.js';
export { ANALYZER_ID, analyse } from './analysis/analyse.js';
export { analyseQuery, type AnalysedQuery } from './analysis/analyse-query.js';
export { weighTerms, type WeighedFields, type WeighedTerms } from './analysis/weigh-terms.js';
export { HASH_NGRAM_ID, embedTerms } from './embedding/hash-ngram.js';
export { quantise, type QuantisedVector } from './embedding/quantise.js';
export { HASH_NGRAM_DIMENSIONS } from './embedding/word-vector.js';
export { BM25_B, BM25_K1, inverseDocumentFrequency } from './ranking/lexical-score.js';
export { rank } from './ranking/rank.js';
export type {
  CorpusStatistics,
  LegScores,
  LegWeights,
  RankCandidate,
  RankOptions,
  RankedChunk,
} from './ranking/rank.types.js';
export { fitToBudget, type BudgetedResult } from './budget/token-budget.js';
export { findConflicts, type EndpointDescription } from './conflicts/find-conflicts.js';
export { evidenceQuality, type EvidenceInput } from './evidence/evidence-quality.js';
export { nothingFound, refusalReasons, refused, type FoundEvidence, type RefusalPolicy } from './refusal/refusal.js';
export { freshnessDays, isStale, stalenessSummary, stalenessWarning } from './staleness/staleness.js';
export { modelProfile, type ModelProfile } from './ranking/model-profiles.js';
