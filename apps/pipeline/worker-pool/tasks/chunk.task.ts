import type { PlacedChunk } from '#contracts';
import { createChunker, type Chunker } from '#ingest/chunk/chunker';
import { uuidv5 } from '#platform/ids/ids';

import { encodeChunkPart } from '../../artifacts/chunk-part.js';
import { decodeTextPart } from '../../artifacts/text-part.js';
import type { StageTasks } from '../stage-tasks.js';

/** One a thread; its grammars are loaded with the first task. */
let chunker: Promise<Chunker> | undefined;

/** Cuts documents into chunks and gives each its id, which stays the same as long as place and content do. */
export async function chunkTask(
  { bytes, tenantId, sourceId }: StageTasks['chunk']['input'],
  grammarsDirectory: string,
): Promise<StageTasks['chunk']['output']> {
  chunker ??= createChunker({ grammarsDirectory });
  const { chunk: cut } = await ready(chunker);
  const chunks: PlacedChunk[] = [];
  for (const document of decodeTextPart(bytes)) {
    const { path } = document;
    for (const chunk of cut(document)) {
      const chunk_id = uuidv5(tenantId, sourceId, path, String(chunk.ordinal), chunk.content_hash);
      chunks.push({ ...chunk, chunk_id, path });
    }
  }
  return { bytes: encodeChunkPart(chunks), chunks: chunks.length };
}

async function ready(promise: Promise<Chunker>): Promise<Pick<Chunker, 'chunk'>> {
  const made = await promise;
  return { chunk: (document) => made.chunk(document) };
}
