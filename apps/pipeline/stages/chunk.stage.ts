import { StageFailure } from '#contracts';
import { mapBounded } from '#platform';

import { writeListing } from '../artifacts/source-listing.js';
import { decodeTextPart } from '../artifacts/text-part.js';
import { readManifest } from './base-manifest.js';
import { partTurns, StuckDocuments } from './part-turns.js';
import { requireListing } from './require-listing.js';
import type { StageContext, StageOutcome } from './stage.types.js';

/** Text to chunks with ids, spans, symbols and token counts. */
export async function chunkStage(context: StageContext): Promise<StageOutcome> {
  const { pool, signal, tenantId, job, config } = context;
  const listing = await requireListing(context);
  const kept =
    listing.base === null ? 0 : await keptChunks(context, listing.base, listing.documents);
  const most = config.limits.maxChunksPerSource;
  let chunks = 0;
  let byLines = 0;
  let done = 0;
  let bytes = 0;
  const details = () => ({ chunks, ...(byLines > 0 && { files_cut_by_lines: byLines }) });
  const stuck = new StuckDocuments(job.url);
  const paths = (part: Uint8Array) => decodeTextPart(part).map(({ path }) => path);
  const input = { tenantId, sourceId: job.source_id };
  const parts = await mapBounded(listing.parts, pool.size + 1, signal, async (hash) => {
    const request = {
      name: 'chunk',
      read: () => context.parts.get(hash),
      input,
      paths,
      stuck,
    } as const;
    const hashes: string[] = [];
    for (const output of await partTurns(pool, request, context)) {
      chunks += output.chunks;
      byLines += output.byLines;
      bytes += output.bytes.byteLength;
      if (kept + chunks > most) {
        throw new StageFailure(
          `The source has more than ${most} chunks (MAX_CHUNKS_PER_SOURCE)`,
          false,
          {
            url: job.url,
            too_large: true,
          },
        );
      }
      hashes.push(await context.parts.put(output.bytes));
    }
    done += 1;
    context.report({
      fraction: done / listing.parts.length,
      message: `Cut ${chunks} chunks`,
      details: details(),
    });
    return hashes;
  });
  const artifact = await writeListing(context.parts, { ...listing, parts: parts.flat(), chunks });
  return { kind: 'advanced', artifact, details: details(), bytes };
}

async function keptChunks(
  { blobs }: StageContext,
  base: string,
  documents: readonly { readonly path: string; readonly kept?: true }[],
): Promise<number> {
  const kept = new Set(documents.filter((document) => document.kept).map(({ path }) => path));
  const manifest = await readManifest(blobs, base);
  return manifest.documents.reduce(
    (sum, document) => sum + (kept.has(document.path) ? document.chunks : 0),
    0,
  );
}
