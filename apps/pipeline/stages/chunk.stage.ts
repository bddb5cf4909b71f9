import { StageFailure } from '#contracts';
import { mapBounded } from '#platform';

import { rawBlob } from '../artifacts/part-name.js';
import { writeListing } from '../artifacts/source-listing.js';
import type { PreparedOutput } from '../thread-pool/stage-tasks.js';
import { readManifest } from './base-manifest.js';
import { StuckDocuments } from './part-turns.js';
import { requireListing } from './require-listing.js';
import type { StageContext, StageOutcome } from './stage.types.js';
import { chunksOf, chunksOfRaw } from './turns-of-stages.js';

/** Text to chunks with ids, spans, symbols and token counts. */
export async function chunkStage(context: StageContext): Promise<StageOutcome> {
  const { pool, signal, job, config } = context;
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
  const fold = (output: PreparedOutput['chunk']) => {
    chunks += output.chunks;
    byLines += output.byLines;
    bytes += output.size;
    if (kept + chunks <= most) return;
    const message = `The source has more than ${most} chunks (MAX_CHUNKS_PER_SOURCE)`;
    throw new StageFailure(message, false, { url: job.url, too_large: true });
  };
  const cutPart = async (name: string) => {
    const raw = rawBlob(name);
    const prepared = raw === null ? null : context.ahead.preparedOf(raw);
    if (prepared) {
      fold(prepared.chunk);
      return [name];
    }
    const hashes: string[] = [];
    const outputs = raw === null ? chunksOf(context, name, stuck) : chunksOfRaw(context, raw);
    for (const output of await outputs) {
      fold({ ...output, size: output.bytes.byteLength });
      hashes.push(await context.parts.put(output.bytes));
    }
    return hashes;
  };
  const parts = await mapBounded(listing.parts, pool.size + 1, signal, async (name) => {
    const hashes = await cutPart(name);
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
