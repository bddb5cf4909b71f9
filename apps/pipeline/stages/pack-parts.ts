import { MessageChannel, type MessagePort } from 'node:worker_threads';

import { transferablesOf } from '#platform';

import type { SourceListing } from '../artifacts/source-listing.js';
import type { StageTasks } from '../thread-pool/stage-tasks.js';
import type { StageContext } from './stage.types.js';

/** A pack of fewer chunks is built in one thread: handing over texts costs what it would save. */
const TWO_THREADS_FROM_CHUNKS = 16_000;

type Context = Pick<StageContext, 'pool' | 'parts' | 'tenantId' | 'signal'>;
type Input = Omit<StageTasks['pack']['input'], 'parts' | 'trigrams'>;
type Output = StageTasks['pack']['output'];

/**
 * Builds the pack of a listing's parts. For a large one, an idle second thread computes the
 * trigrams at the same time, over the same memory. The bytes are the same either way.
 * @throws errors of the pool and of the parts.
 */
export async function packParts(
  context: Context,
  { parts, chunks }: Pick<SourceListing, 'parts' | 'chunks'>,
  input: Input,
): Promise<Output> {
  const { pool } = context;
  const useTwo = !input.merge && chunks >= TWO_THREADS_FROM_CHUNKS && pool.size > 1;
  const read = await Promise.all(
    parts.map(async (name) => {
      const bytes = await context.parts.get(name);
      return useTwo ? inSharedMemory(bytes) : bytes;
    }),
  );
  if (!useTwo) return pool.run('pack', { ...input, parts: read }, context);
  const { port1, port2 } = new MessageChannel();
  const over = new AbortController();
  try {
    const pack = pool.run('pack', { ...input, parts: read, trigrams: port2 }, context);
    // The pack takes its thread first, because it can compute everything alone.
    if (pool.hasIdleThread) void sendTrigrams(port1, context, read, over.signal);
    else port1.postMessage(null);
    return await pack;
  } finally {
    over.abort(new Error('The pack is built'));
    port1.close();
  }
}

/** Sends the trigrams, or null if their task fails. The pack's task then computes them itself. */
async function sendTrigrams(
  port: MessagePort,
  { pool, tenantId, signal }: Context,
  parts: readonly Uint8Array[],
  over: AbortSignal,
): Promise<void> {
  const owner = { tenantId, signal: AbortSignal.any([signal, over]) };
  const trigrams = await pool.run('trigrams', { parts }, owner).catch(() => null);
  port.postMessage(trigrams);
}

/**
 * Moves a part to memory that several threads can read. Its own memory is released at once, so that
 * the parts are not twice in memory until the next garbage collection.
 */
function inSharedMemory(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.byteLength));
  shared.set(bytes);
  for (const buffer of transferablesOf(bytes))
    if (buffer instanceof ArrayBuffer) buffer.transfer(0);
  return shared;
}
