import { tenantDecider, type Destroyed } from '#domain';
import { handleCommand, type EventStore } from '#event-store';
import { uuidv5, type BlobStore, type Clock, type KeyRing } from '#platform';

import { markBlobs } from '../collection/collect-blobs.js';
import type { Ledger } from '../dispatcher/ledger.js';
import type { IndexedGenerations } from '../indexed-generations.js';
import { systemContext, type Cause } from '../log/commands.js';
import type { ActiveRuns } from '../worker/active-runs.js';
import { erasePerson } from './erase-person.js';
import type { PeopleLedger } from './people-ledger.js';
import { destroyBlobs } from './destroy-blobs.js';
import { removeSource } from './remove-source.js';
import { contentOf } from './tenant-content.js';

export interface EraseTenantDependencies {
  readonly store: EventStore;
  readonly blobs: BlobStore;
  readonly keyRing: KeyRing;
  readonly indexed: IndexedGenerations;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly runs: ActiveRuns;
  readonly people: PeopleLedger;
  /** Removes what this machine keeps of a source between syncs. */
  readonly clearScratch: (sourceId: string) => Promise<void>;
  /** How long an attempt of a stage that is not one of `runs` may have been at work, milliseconds; 0 where there are no others. */
  readonly foreignAttemptMs: number;
}

/** From writing a blob to the event that names it a request takes less than this, milliseconds. */
const NAMED_WITHIN_MS = 60_000;

/**
 * Takes an erasure as far as it can go at the moment. Every step finds out by itself what is left to do, so that it may be cut
 * short anywhere and begun again, also in another process: the log names what there is, and what has gone stays gone.
 * @returns whether nothing is left and the log says so.
 */
export async function eraseTenant(
  dependencies: EraseTenantDependencies,
  cause: Cause,
  signal: AbortSignal,
): Promise<boolean> {
  const { ledger, people, keyRing, indexed, store } = dependencies;
  const { tenantId } = cause;
  await removeSources(dependencies, cause);
  await keyRing.destroy(tenantId);
  for (const person of people.due((id) => id === tenantId, Infinity)) await erasePerson(dependencies, person);
  // The dispatcher cancels the jobs of removed sources and drops their generations.
  if (hasOpenWork(ledger, tenantId) || people.hasAny(tenantId)) return false;
  const content = await contentOf(store, tenantId, signal);
  if (!(await indexed.nothingLeft(tenantId, content.lastIndexed))) return false;
  for (const sourceId of content.sourceIds) await dependencies.clearScratch(sourceId);
  const before = settledBefore(dependencies);
  const needed = await markBlobs(dependencies.blobs, ledger);
  const { blobs, bytes, waits } = await destroyBlobs({ blobs: dependencies.blobs, content, needed, before });
  if (waits) return false;
  await complete(dependencies, cause, { ...content.since, blobs, blob_bytes: bytes });
  return true;
}

/** Removes every source that the log still has of a tenant. */
export async function removeSources(
  dependencies: Pick<EraseTenantDependencies, 'ledger' | 'store' | 'clock'>,
  cause: Cause,
): Promise<void> {
  for (const source of [...dependencies.ledger.sources.values()]) {
    if (source.removed || source.cause.tenantId !== cause.tenantId) continue;
    await removeSource(dependencies, source.sourceId, cause);
  }
}

function hasOpenWork({ sources, jobs }: Ledger, tenantId: string): boolean {
  for (const { cause } of [...sources.values(), ...jobs.values()]) if (cause.tenantId === tenantId) return true;
  return false;
}

/** What was written before then and is not named by now, nobody is about to name. */
function settledBefore({ clock, runs, foreignAttemptMs }: EraseTenantDependencies): number {
  const settled = clock.now().getTime() - NAMED_WITHIN_MS - foreignAttemptMs;
  return Math.min(settled, runs.oldestStart ?? Infinity);
}

async function complete({ store, clock }: EraseTenantDependencies, cause: Cause, data: Destroyed): Promise<void> {
  await handleCommand({
    store,
    clock,
    decider: tenantDecider,
    stream: `tenant-${cause.tenantId}`,
    expected: 'existing',
    decide: (state) => tenantDecider.decide({ type: 'CompleteErasure', data }, state),
    context: systemContext(uuidv5('tenant-erased', cause.tenantId), cause, clock),
  });
}
