import { isFootnoteError } from '#contracts';
import { isOpen, jobDecider, openJob, sourceDecider, type SourceState } from '#domain';
import { type EventStore, foldStream, upcast } from '#event-store';
import { redactUrls } from '#ingest/redact/redact-urls';
import { type Clock, type Config, uuidv5 } from '#platform';

import { commandJob } from '../log/commands.js';
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
  /** How long the process that made a first append is given for its second, milliseconds. */
  readonly graceMs: number;
}

/**
 * Plans the second appends of a source that nobody may have made: who made the first is given time
 * for them.
 */
export function repeatSecondAppends(source: SourceEntry, dependencies: RepeatDependencies): void {
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
export async function openNamedJob(
  dependencies: SecondAppendDependencies,
  entry: Pick<SourceEntry, 'lastJobId' | 'sourceId' | 'cause'>,
  maxRetries: number,
): Promise<void> {
  const { lastJobId, sourceId, cause } = entry;
  if (lastJobId === null) return;
  const accepted = await sourceAtSync(dependencies.store, sourceId, lastJobId);
  if (!accepted || accepted.source.status === 'absent') return;
  const { source, previousJobId } = accepted;
  const lastJob =
    previousJobId === null
      ? jobDecider.initial
      : (await foldStream(dependencies.store, jobDecider, `job-${previousJobId}`)).state;
  const shownUrl = redactUrls(source.definition.url);
  const command = openJob({ jobId: lastJobId, source, shownUrl, lastJob, maxRetries });
  await commandJob(dependencies, lastJobId, lastJobId, command, cause);
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

interface AcceptedSync {
  /** The source as it was when the sync was accepted. */
  readonly source: SourceState;
  readonly previousJobId: string | null;
}

async function sourceAtSync(
  store: EventStore,
  sourceId: string,
  jobId: string,
): Promise<AcceptedSync | null> {
  let source: SourceState = sourceDecider.initial;
  let previousJobId: string | null = null;
  for await (const recorded of store.read(`source-${sourceId}`)) {
    const read = upcast(recorded);
    if (read.kind === 'unknown') continue;
    const event = read.event as Parameters<typeof sourceDecider.evolve>[1];
    source = sourceDecider.evolve(source, event, recorded.revision);
    if (event.type !== 'SourceSyncRequested') continue;
    if (event.data.job_id === jobId) return { source, previousJobId };
    previousJobId = event.data.job_id;
  }
  return null;
}
