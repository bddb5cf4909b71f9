import type { StageTasks } from '../stage-tasks.js';
import { analyzeTask } from './analyze.task.js';
import { chunkTask, type ChunkTaskContext } from './chunk.task.js';
import { parseTask } from './parse.task.js';

/**
 * Parses, chunks and analyzes a raw part. The steps pass on the same content as their stages, but
 * do not compress it, so the results are equal.
 * @returns null if a step does not end within its turn: the stages divide such a part.
 */
export async function prepareTask(
  { bytes, tenantId, sourceId, model }: StageTasks['prepare']['input'],
  options: ChunkTaskContext,
): Promise<StageTasks['prepare']['output']> {
  const context = { ...options, compressFrom: Infinity };
  const texts = await parseTask({ bytes }, context);
  if (texts.next !== null) return null;
  const { parsed, skipped, redacted } = texts;
  const cut = await chunkTask({ bytes: texts.bytes, tenantId, sourceId }, context);
  if (cut.next !== null) return null;
  const { chunks, byLines } = cut;
  return {
    parse: { parsed, skipped, redacted, size: texts.bytes.byteLength },
    chunk: { chunks, byLines, size: cut.bytes.byteLength },
    bytes: analyzeTask({ bytes: cut.bytes, model }).bytes,
  };
}
