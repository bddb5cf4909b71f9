import { localModel } from '#models/local/local-models';
import { analyzeChunks } from '#search-index/pack/analyze-chunks';
import { encodePart } from '#search-index/pack/analyzed-part';

import { decodeChunkPart } from '../../artifacts/chunk-part.js';
import type { StageTasks } from '../stage-tasks.js';

/** Chunks to terms and, with a local model, vectors. */
export function analyzeTask({
  bytes,
  model,
}: StageTasks['analyze']['input']): StageTasks['analyze']['output'] {
  const chunks = decodeChunkPart(bytes);
  return {
    bytes: encodePart(analyzeChunks(chunks, model && localModel(model))),
    chunks: chunks.length,
  };
}
