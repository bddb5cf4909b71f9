export { askedDefinition } from './answer/asked-definition.js';
export { bestLines } from './answer/best-lines.js';
export { choosePassages, type PassageLimits } from './answer/choose-passages.js';
export { extractiveAnswer, type Quote } from './answer/extractive-answer.js';
export type { Passage } from './answer/read-passages.js';
export { quotableLine, quotableText } from './answer/quotable-text.js';
export { fenceFor } from './answer/fence-for.js';
export { escapeInvisible, visibleText } from './answer/visible-text.js';
export { ANALYZER_ID, analyze } from './analysis/analyze.js';
export { analyzeQuery, type AnalyzedQuery } from './analysis/analyze-query.js';
export type { WeighedFields } from './analysis/term-dictionary.js';
export { weighTerms } from './analysis/weigh-terms.js';
export {
  MEANING_ID,
  createMeaningModel,
  embedMeaning,
  meaningEmbedder,
  type MeaningModel,
} from './embedding/embed-meaning.js';
export {
  HASH_NGRAM_DIMENSIONS,
  HASH_NGRAM_ID,
  embedTerms,
  featureHash,
} from './embedding/hash-ngram.js';
export { WORD_HASHING, type LocalModel } from './local-model.js';

export { TermVectors, type TermVectorTables } from './embedding/term-vectors.js';
export { quantize, type QuantizedVector } from './embedding/quantize.js';
export { BM25_B, BM25_K1, inverseDocumentFrequency } from './ranking/lexical-score.js';
export { pathPrior } from './ranking/place-priors.js';
export { rank } from './ranking/rank.js';
export { fuseSentences, isSentence } from './ranking/fuse-sentences.js';
export { reorderByRelevance, toRerank } from './ranking/reorder-by-relevance.js';
export type {
  CorpusStatistics,
  LegScores,
  LegWeights,
  ModelProfile,
  RankStep,
  RankedChunk,
  SimilarityRange,
  SourceStanding,
} from './ranking/rank.types.js';
export { FilePassages } from './answer/file-passages.js';
export { raiseSecondPassage } from './answer/second-passage.js';
export { fitToBudget } from './answer/token-budget.js';
export {
  differencesInWords,
  endpointDifferences,
  type DescribedEndpoint,
} from './evidence/endpoint-differences.js';
export { findConflicts } from './evidence/find-conflicts.js';
export { evidenceQuality } from './evidence/evidence-quality.js';
export { missingContentWarnings } from './evidence/missing-content.js';
export { nothingFound, refusalReasons, refused, type LeftOut } from './evidence/refusal.js';
export {
  freshnessDays,
  isStale,
  stalenessSummary,
  stalenessWarning,
} from './evidence/staleness.js';
export { TERM_VECTORS, modelProfile } from './ranking/model-profiles.js';
export { chooseNeighbors } from './multi-hop/choose-neighbors.js';
export { chooseHopTerms, hopWords, joinRounds } from './multi-hop/hops.js';
export {
  mergePassages,
  piecesOfLines,
  type LinePassage,
  type LineRange,
  type Piece,
} from './multi-hop/merge-passages.js';
export { RANKING_VERSION, WEIGHTS } from './ranking/weights.js';
