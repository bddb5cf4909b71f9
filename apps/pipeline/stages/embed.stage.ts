import { mapBounded } from '#platform';

import { writeListing } from '../artifacts/source-listing.js';
import { RemoteVectors } from './remote-vectors.js';
import { requireListing } from './require-listing.js';
import type { StageContext, StageOutcome } from './stage.types.js';

/**
 * Chunks to terms and vectors. A local model works in the worker threads, a remote one is asked in
 * batches.
 */
export async function embedStage(context: StageContext): Promise<StageOutcome> {
  const { pool, signal, embedder } = context;
  const listing = await requireListing(context);
  const remote = embedder.local ? null : await RemoteVectors.open(context, listing);
  const model = embedder.local ? { id: embedder.id, file: embedder.file } : null;
  const total_chunks = listing.chunks;
  let chunks_embedded = 0;
  let bytes = 0;
  const embedded = (count: number) => {
    chunks_embedded += count;
    context.report({
      fraction: chunks_embedded / Math.max(1, total_chunks),
      message: `Embedded ${chunks_embedded} of ${total_chunks} chunks`,
      details: { chunks_embedded, total_chunks },
    });
  };
  const parts = await mapBounded(listing.parts, pool.size + 1, signal, async (hash) => {
    const output = await pool.run(
      'analyze',
      { bytes: await context.parts.get(hash), model },
      context,
    );
    bytes += output.bytes.byteLength;
    if (remote) return context.parts.put(await remote.addTo(output.bytes, embedded));
    embedded(output.chunks);
    return context.parts.put(output.bytes);
  });
  const artifact = await writeListing(context.parts, { ...listing, parts });
  await remote?.finished();
  return { kind: 'advanced', artifact, details: { chunks_embedded, total_chunks }, bytes };
}
