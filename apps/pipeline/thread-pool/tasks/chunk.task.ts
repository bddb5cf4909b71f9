import type { SourceChunk } from '#contracts';
import type { ParsedDocument } from '#ingest';
import type { Chunker } from '#ingest/chunk/chunker';
import { uuidv5 } from '#platform/ids/ids';

import { encodeChunkPart } from '../../artifacts/chunk-part.js';
import { decodeTextPart } from '../../artifacts/text-part.js';
import type { CurrentDocument } from '../document-watch.js';
import type { StageTasks } from '../stage-tasks.js';

export interface ChunkTaskContext {
  /** Opens what cuts the documents; once a thread. */
  readonly openChunker: () => Promise<Chunker>;
  /** Told at which document the task is. */
  readonly current: CurrentDocument;
}

/** One a thread; its grammars are loaded with the first task. */
let chunker: Promise<Chunker> | undefined;

/** Cuts documents into chunks and gives each its id, which stays the same as long as place and content do. */
export async function chunkTask(
  { bytes, tenantId, sourceId, asLines = [] }: StageTasks['chunk']['input'],
  { openChunker, current }: ChunkTaskContext,
): Promise<StageTasks['chunk']['output']> {
  chunker ??= openChunker();
  const cutter = await chunker;
  const timeoutsBefore = cutter.parseTimeouts;
  const plain = new Set(asLines);
  const chunks: SourceChunk[] = [];
  try {
    for (const [index, read] of decodeTextPart(bytes).entries()) {
      const document: ParsedDocument = plain.has(index) ? { ...read, kind: 'lines' } : read;
      const { path } = document;
      current.at(index);
      for (const chunk of cutter.chunk(document)) {
        const chunk_id = uuidv5(tenantId, sourceId, path, String(chunk.ordinal), chunk.content_hash);
        chunks.push({ ...chunk, chunk_id, path });
      }
    }
  } finally {
    current.leave();
  }
  return {
    bytes: encodeChunkPart(chunks),
    chunks: chunks.length,
    byLines: plain.size + cutter.parseTimeouts - timeoutsBefore,
  };
}
