import type { SourceChunk } from '#contracts';
import type { ParsedDocument } from '#ingest';
import type { Chunker } from '#ingest/chunk/chunker';
import { chunksWithoutGrammar } from '#ingest/chunk/grammarless-chunks';
import { uuidv5 } from '#platform/ids/derived-id';

import type { ArtifactOptions } from '../../artifacts/artifact.codec.js';
import { encodeChunkPart } from '../../artifacts/chunk-part.js';
import { decodeTextPart } from '../../artifacts/text-part.js';
import { partTurn, type PartTurnOptions } from '../part-turn.js';
import type { StageTasks } from '../stage-tasks.js';

export interface ChunkTaskContext extends PartTurnOptions, ArtifactOptions {
  /** Opens the chunker of code; once per thread, with the first code that may have a grammar. */
  readonly openChunker: () => Promise<Chunker>;
}

/** One per thread. */
let chunker: Promise<Chunker> | undefined;

/**
 * Cuts documents into chunks and gives each its id, which stays the same as long as place and
 * content do.
 */
export async function chunkTask(
  { bytes, tenantId, sourceId, ...slice }: StageTasks['chunk']['input'],
  { openChunker, compressFrom, ...options }: ChunkTaskContext,
): Promise<StageTasks['chunk']['output']> {
  const before = (await chunker)?.parseTimeouts ?? 0;
  let stuck = 0;
  const chunks: SourceChunk[] = [];
  const next = await partTurn(decodeTextPart(bytes), slice, options, async (read, wasStuck) => {
    if (wasStuck) stuck += 1;
    const document: ParsedDocument = wasStuck ? { ...read, kind: 'lines' } : read;
    const { path } = document;
    const cut =
      chunksWithoutGrammar(document) ?? (await (chunker ??= openChunker())).chunk(document);
    for (const chunk of cut) {
      const chunk_id = uuidv5(tenantId, sourceId, path, String(chunk.ordinal), chunk.content_hash);
      chunks.push({ ...chunk, chunk_id, path });
    }
  });
  return {
    bytes: encodeChunkPart(chunks, { compressFrom }),
    chunks: chunks.length,
    byLines: stuck + ((await chunker)?.parseTimeouts ?? 0) - before,
    next,
  };
}
