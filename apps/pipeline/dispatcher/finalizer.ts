import type { JobCommand } from '#domain';
import type { EventStore } from '#event-store';
import { backOffMs, type Clock, sleep, uuidv5 } from '#platform';

import type { IndexedGenerations } from '../indexed-generations.js';
import { commandJob } from '../log/commands.js';
import type { JobEntry } from './ledger.js';
import type { TenantChunks } from './tenant-chunks.js';

export interface FinalizerDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly indexed: IndexedGenerations;
  readonly chunks: TenantChunks;
  /** A generation that the index has not loaded by then fails its job. */
  readonly timeoutMs: number;
}

const POLLS = { firstMs: 20, longestMs: 1_000, factor: 1.5 };

/**
 * The last stage: waits for the index to have the staged generation, then publishes it by
 * JobCompleted. The wait occupies no worker; a change in this process ends it at once.
 */
export async function finalize(
  entry: JobEntry,
  dependencies: FinalizerDependencies,
  signal: AbortSignal,
): Promise<void> {
  const { job, cause } = entry;
  const verdict = await verdictOf(entry, dependencies, signal);
  if (!verdict) return;
  const end = (command: JobCommand) =>
    commandJob(dependencies, job.job_id, uuidv5('finalize', job.job_id), command, cause);
  if (verdict.type !== 'CompleteJob') return void (await end(verdict));
  const chunks = verdict.data.loaded_chunk_count;
  await dependencies.chunks.publish(
    {
      tenantId: cause.tenantId,
      sourceId: job.source_id,
      chunks,
      bytes: job.staged?.bytes,
      isTemporary: job.audience?.kind === 'research',
    },
    async () => (await end(verdict)).events.some(({ type }) => type === 'JobCompleted'),
    (reason) => end(failed(reason)),
  );
}

async function verdictOf(
  { job, cause }: JobEntry,
  { indexed, clock, timeoutMs }: FinalizerDependencies,
  signal: AbortSignal,
): Promise<JobCommand | null> {
  const deadline = clock.monotonic() + timeoutMs;
  let wake = () => {};
  const unsubscribe = indexed.onChange?.(() => wake());
  try {
    let changed = new Promise<void>((resolve) => (wake = resolve));
    const pause = async (poll: number): Promise<void> => {
      const idle = new AbortController();
      await Promise.race([
        changed,
        sleep(backOffMs(POLLS, poll), AbortSignal.any([signal, idle.signal])),
      ]);
      idle.abort();
    };
    // Nobody has loaded yet what was staged a moment ago.
    for (let poll = 1; await pause(poll), !signal.aborted; poll += 1) {
      changed = new Promise<void>((resolve) => (wake = resolve));
      const row = await indexed.state(cause.tenantId, job.source_id, job.generation);
      if (row?.state === 'ready')
        return { type: 'CompleteJob', data: { loaded_chunk_count: row.chunk_count } };
      if (row?.state === 'failed')
        return failed(row.message ?? 'The index cannot load the generation');
      if (row?.state === 'dropped')
        return failed('The generation was dropped before it was published');
      if (clock.monotonic() >= deadline)
        return failed(`The index did not load the generation within ${timeoutMs / 1_000} s`);
    }
    return null;
  } finally {
    unsubscribe?.();
  }
}

function failed(error_message: string): JobCommand {
  return { type: 'FailJob', data: { error_message, error_details: null } };
}
