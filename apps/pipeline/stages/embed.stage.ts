import { mapBounded } from '#platform';

import { rawBlob } from '../artifacts/part-name.js';
import { writeListing } from '../artifacts/source-listing.js';
import { RemoteVectors } from './remote-vectors.js';
import { requireListing } from './require-listing.js';
import type { StageContext, StageOutcome } from './stage.types.js';
import { chunksOfRaw } from './turns-of-stages.js';

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
  const embed = async (chunks: Uint8Array) => {
    const output = await pool.run('analyze', { bytes: chunks, model }, context);
    bytes += output.bytes.byteLength;
    if (remote) return context.parts.put(await remote.addTo(output.bytes, embedded));
    embedded(output.chunks);
    return context.parts.put(output.bytes);
  };
  const embedPart = async (name: string) => {
    const raw = rawBlob(name);
    if (raw === null) return [await embed(await context.parts.get(name))];
    const prepared = context.ahead.preparedOf(raw);
    if (!prepared) {
      const outputs = await chunksOfRaw(context, raw);
      return mapBounded(outputs, 1, signal, (output) => embed(output.bytes));
    }
    context.parts.adopt(prepared.analyzed);
    context.parts.replace(raw);
    context.ahead.handOver(raw);
    bytes += prepared.size;
    embedded(prepared.chunk.chunks);
    return [prepared.analyzed];
  };
  const parts = await mapBounded(listing.parts, pool.size + 1, signal, embedPart);
  const artifact = await writeListing(context.parts, { ...listing, parts: parts.flat() });
  await remote?.finished();
  return { kind: 'advanced', artifact, details: { chunks_embedded, total_chunks }, bytes };
}
