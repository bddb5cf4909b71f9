import { isFootnoteError } from '#contracts';
import {
  isOpen,
  jobDecider,
  type RegisteredSource,
  type RemovedSource,
  sourceDecider,
} from '#domain';
import { type EventStore, foldStream } from '#event-store';
import { type Clock, type Config, uuidv5 } from '#platform';

import { commandJob } from '../log/commands.js';
import { openSyncJob } from '../log/open-sync-job.js';
import type { Ledger } from './ledger.js';
import type { SourceEntry } from './source-entry.js';
import type { Tasks } from './tasks.js';

interface SecondAppendDependencies {
  readonly store: EventStore;
  readonly clock: Clock;
}

export interface RepeatDependencies extends SecondAppendDependencies {
  readonly ledger: Ledger;
  readonly tasks: Tasks;
  readonly config: { readonly jobs: Pick<Config['jobs'], 'maxRetries'> };
  /** Time that the process of a first append has for its second, in milliseconds. */
  readonly graceMs: number;
}

/**
 * Plans the second appends of a source that nobody may have made: who made the first is given time
 * for them.
 */
export function repairAppends(source: SourceEntry, dependencies: RepeatDependencies): void {
  const { tasks, ledger, graceMs, config } = dependencies;
  if (source.lastJobId === null) return;
  const current = () => ledger.sources.get(source.sourceId);
  if (!source.lastJobSeen) {
    const open = async () => {
      const now = current();
      if (now && !now.lastJobSeen) await openNamedJob(dependencies, now, config.jobs.maxRetries);
    };
    tasks.run(`open:${source.lastJobId}`, open, graceMs);
  }
  if (source.removed && (ledger.jobs.has(source.lastJobId) || !source.lastJobSeen)) {
    const cancel = async () => {
      const now = current();
      if (now && !now.lastJobSeen) throw new Error('The job of the removed source is not open yet');
      if (now) await cancelJobOfRemoved(dependencies, now);
    };
    tasks.run(`cancel:${source.lastJobId}`, cancel, graceMs);
  }
}

/**
 * Opens the job that a source names, should the process that accepted the sync have died before it
 * could. The ids are the same as that process would have used, so both together open it once.
 */
async function openNamedJob(
  dependencies: SecondAppendDependencies,
  entry: Pick<SourceEntry, 'lastJobId' | 'sourceId' | 'cause'>,
  maxRetries: number,
): Promise<void> {
  const { lastJobId, sourceId, cause } = entry;
  if (lastJobId === null) return;
  const source = await sourceAtSync(dependencies.store, sourceId, lastJobId);
  if (source) await openSyncJob(dependencies, source, cause, maxRetries);
}

/**
 * Cancels the open job of a removed source, should the process that removed it have died before it
 * could.
 */
async function cancelJobOfRemoved(
  dependencies: SecondAppendDependencies,
  { lastJobId, cause }: SourceEntry,
): Promise<void> {
  if (lastJobId === null) return;
  const { state } = await foldStream(dependencies.store, jobDecider, `job-${lastJobId}`);
  if (!isOpen(state)) return;
  const commandId = uuidv5('cancel-removed', lastJobId);
  try {
    await commandJob(dependencies, lastJobId, commandId, { type: 'CancelJob', data: {} }, cause);
  } catch (error) {
    if (!isFootnoteError(error, 'job_finished')) throw error;
  }
}

/** Returns the source as it was when the sync of a job was accepted. */
async function sourceAtSync(
  store: EventStore,
  sourceId: string,
  jobId: string,
): Promise<RegisteredSource | RemovedSource | null> {
  let atSync: RegisteredSource | RemovedSource | null = null;
  await foldStream(store, sourceDecider, `source-${sourceId}`, {
    onEvent: ({ type, data }, { state }) => {
      if (type === 'SourceSyncRequested' && data.job_id === jobId && state.status !== 'absent')
        atSync ??= state;
    },
  });
  return atSync;
}
