import { createHash } from 'node:crypto';

import type { SourceDefinition } from '#contracts';
import { REDACTION_VERSION } from '#ingest/redact/redact-secrets';
import type { Embedder } from '#models';
import { ANALYZER_ID } from '#retrieval';

/**
 * Raised whenever selecting, parsing or chunking gives other chunks for the same files: the next
 * sync reads everything again.
 */
export const CONTENT_VERSION = 10;

/** Hash over everything but the files themselves that decides what a generation contains. */
export function recipeOf(
  definition: SourceDefinition,
  embedder: Embedder,
  maxFileBytes: number,
  redaction = REDACTION_VERSION,
): string {
  const parts = {
    content: CONTENT_VERSION,
    redaction,
    branch: definition.branch ?? null,
    include: definition.include_patterns,
    exclude: definition.exclude_patterns,
    max_file_bytes: maxFileBytes,
    analyzer: ANALYZER_ID,
    embedder: { id: embedder.id, dimensions: embedder.dimensions },
  };
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
