export {
  decodePart,
  encodePart,
  withVectors,
  type AnalyzedPart,
  type ChunkRecord,
  type QuantizedVectors,
  type StorablePart,
} from './pack/analyzed-part.js';
export { analyzeChunks } from './pack/analyze-chunks.js';
export { buildPack, type BuiltPack } from './pack/build-pack.js';
export {
  countDropped,
  decodeDropped,
  encodeDropped,
  isDropped,
  markDropped,
} from './pack/dropped-bitmap.js';

export type { StoredDocument } from './pack/stored-document.js';
export { readPack, type Pack } from './pack/read-pack.js';
export { findContentGap, findPackGap, gapMessage } from './content/content-gap.js';
export { type ChunkFilter } from './chunk-filter.js';
export type { DefinitionSpan } from './definition-span.js';
export type { OpenSearchIndexOptions } from './opensearch/opensearch-index.js';

export type { RankedCandidates, RankingQuery } from './ranking.types.js';
export {
  RETRIEVAL_VERSION,
  SEARCH_INDEX,
  type Candidate,
  type CandidateQuery,
  type Candidates,
  type DocumentRange,
  type FileChunksQuery,
  type GenerationStore,
  type IndexBeside,
  type IndexedChunk,
  type IndexedDocument,
  type IndexedOutline,
  type IndexedSymbol,
  type LiveSource,
  type SearchIndex,
  type SentenceIndex,
  type SentenceQuery,
  type SymbolQuery,
} from './search-index.port.js';
export { symbolRanker, SYMBOL_RANKS } from './symbol-match.js';
export { openSegmentIndex, segmentIndexBinding } from './segments/segment-index.js';
