import { localModel } from '#models/local/local-models';
import { analyseChunks } from '#search-index/pack/analyse-chunks';
import { encodePart } from '#search-index/pack/analysed-part';

import { decodeChunkPart } from '../../artifacts/chunk-part.js';
import type { StageTasks } from '../stage-tasks.js';

/** Chunks to terms and, with a local model, vectors. */
export function analyseTask({
  bytes,
  model,
}: StageTasks['analyse']['input']): StageTasks['analyse']['output'] {
  const chunks = decodeChunkPart(bytes);
  return {
    bytes: encodePart(analyseChunks(chunks, model && localModel(model))),
    chunks: chunks.length,
  };
}
