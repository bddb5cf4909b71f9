import type { AnalysedPart, ChunkRecord } from './analysed-part.js';

/** A chunk by its part and its place there. */
export interface ChunkPlace {
  readonly part: AnalysedPart;
  readonly index: number;
  readonly chunk: ChunkRecord;
}
