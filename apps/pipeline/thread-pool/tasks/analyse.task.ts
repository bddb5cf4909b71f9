import { analyseChunks } from '#search-index/pack/analyse-chunks';
import { encodePart } from '#search-index/pack/analysed-part';

import { decodeChunkPart } from '../../artifacts/chunk-part.js';
import type { StageTasks } from '../stage-tasks.js';

/** Chunks to terms and, with the built-in model, vectors. */
export function analyseTask({ bytes, embedderId }: StageTasks['analyse']['input']): StageTasks['analyse']['output'] {
  const chunks = decodeChunkPart(bytes);
  return { bytes: encodePart(analyseChunks(chunks, embedderId)), chunks: chunks.length };
}
