export {
  decodePart,
  encodePart,
  withVectors,
  type AnalysedPart,
  type ChunkRecord,
  type QuantisedVectors,
  type StorablePart,
} from './pack/analysed-part.js';
export { analyseChunks } from './pack/analyse-chunks.js';
export { buildPack, type BuiltPack } from './pack/build-pack.js';
export {
  countDropped,
  decodeDropped,
  encodeDropped,
  isDropped,
  markDropped,
  type DroppedBitmap,
} from './pack/dropped-bitmap.js';
export { mergePacks, type PackSurvivors } from './pack/merge-packs.js';
export type { PackTables } from './pack/pack-tables.js';
export type { PackMeta } from './pack/pack-layout.js';
export { readPack, type ForwardTerms, type Pack } from './pack/read-pack.js';
export {
  findContentGap,
  findPackGap,
  gapMessage,
  type ContentGap,
  type ContentGapOptions,
} from './content/content-gap.js';
export { compileChunkFilter, type ChunkFilter } from './chunk-filter.js';
export type { OpenSearchIndexOptions } from './opensearch/opensearch-index.js';
export { BadSectionsError } from './pack/sections.js';
export {
  SEARCH_INDEX,
  type Candidate,
  type CandidateQuery,
  type Candidates,
  type GenerationStore,
  type IndexBeside,
  type IndexedChunk,
  type LiveSource,
  type SearchIndex,
} from './search-index.port.js';
export {
  openSegmentIndex,
  segmentIndexBinding,
  type SegmentIndexOptions,
} from './segments/segment-index.js';
