import type { StageTasks } from '../thread-pool/stage-tasks.js';
import { StuckDocumentError } from '../thread-pool/document-watch.js';
import type { ThreadPool } from '../thread-pool/thread-pool.js';

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
