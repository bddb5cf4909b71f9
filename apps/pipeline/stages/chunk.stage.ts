import { StageFailure } from '#contracts';
import { mapBounded } from '#platform';

import { writeListing } from '../artifacts/source-listing.js';
import { readManifest } from './base-manifest.js';
import { requireListing } from './require-listing.js';
import type { StageContext, StageOutcome } from './stage.types.js';
import type { StageTasks } from '../thread-pool/stage-tasks.js';
import { StuckDocumentError } from '../thread-pool/document-watch.js';
import type { ThreadPool } from '../thread-pool/thread-pool.js';

/** Text to chunks with ids, spans, symbols and token counts. */
export async function chunkStage(context: StageContext): Promise<StageOutcome> {
  const { blobs, pool, signal, tenantId, job, config } = context;
  const listing = await requireListing(context);
  const kept = listing.base === null ? 0 : await keptChunks(context, listing.base, listing.documents);
  const most = config.limits.maxChunksPerSource;
  let chunks = 0;
  let byLines = 0;
  let done = 0;
  let bytes = 0;
  const details = () => ({ chunks, ...(byLines > 0 && { files_cut_by_lines: byLines }) });
  const parts = await mapBounded(listing.parts, pool.size + 1, signal, async (hash) => {
    const output = await cutPart(pool, () => blobs.get(hash), { tenantId, sourceId: job.source_id }, signal);
    chunks += output.chunks;
    byLines += output.byLines;
    done += 1;
    bytes += output.bytes.byteLength;
    if (kept + chunks > most) {
      throw new StageFailure(`The source has more than ${most} chunks (MAX_CHUNKS_PER_SOURCE)`, false, {
        url: job.url,
      });
    }
    context.report({ fraction: done / listing.parts.length, message: `Cut ${chunks} chunks`, details: details() });
    return blobs.put(output.bytes);
  });
  const artifact = await writeListing(blobs, { ...listing, parts, chunks });
  return { kind: 'advanced', artifact, details: details(), bytes };
}

async function keptChunks(
  { blobs }: StageContext,
  base: string,
  documents: readonly { readonly path: string; readonly kept?: true }[],
): Promise<number> {
  const kept = new Set(documents.filter((document) => document.kept).map(({ path }) => path));
  const manifest = await readManifest(blobs, base);
  return manifest.documents.reduce((sum, document) => sum + (kept.has(document.path) ? document.chunks : 0), 0);
}

/** A part with more documents than this that a grammar never comes back from ends the attempt. */
const MAX_STUCK = 8;

/**
 * Cuts a part into chunks. A document that a grammar is caught in is cut by lines in a further try.
 * @param read gives the part's bytes; asked once a try, since a try moves them to its thread.
 * @throws StuckDocumentError when more than eight of the part are such.
 */
export async function cutPart(
  pool: Pick<ThreadPool, 'run'>,
  read: () => Promise<Uint8Array>,
  ids: { readonly tenantId: string; readonly sourceId: string },
  signal: AbortSignal,
): Promise<StageTasks['chunk']['output']> {
  const asLines: number[] = [];
  for (;;) {
    try {
      return await pool.run('chunk', { bytes: await read(), ...ids, asLines }, signal);
    } catch (error) {
      if (!(error instanceof StuckDocumentError) || asLines.length >= MAX_STUCK) throw error;
      asLines.push(error.document);
    }
  }
}
