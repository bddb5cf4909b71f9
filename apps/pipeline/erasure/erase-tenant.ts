import { type Destroyed, tenantDecider } from '#domain';
import { type EventStore, handleCommand } from '#event-store';
import { type BlobStore, type Clock, type KeyRing, uuidv5 } from '#platform';

import { markBlobs } from '../collection/collect-blobs.js';
import { NAMED_WITHIN_MS } from '../collection/settled.js';
import type { Ledger } from '../dispatcher/ledger.js';
import type { IndexedGenerations } from '../indexed-generations.js';
import { type Cause, systemContext } from '../log/commands.js';
import type { ActiveRuns } from '../worker/active-runs.js';
import { destroyBlobs } from './destroy-blobs.js';
import { erasePerson } from './erase-person.js';
import type { PeopleLedger } from './people-ledger.js';
import { removeSource } from './remove-source.js';
import { contentOf, type TenantContent } from './tenant-content.js';

export interface EraseTenantDependencies {
  readonly store: EventStore;
  readonly blobs: BlobStore;
  readonly keyRing: KeyRing;
  readonly indexed: IndexedGenerations;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly runs: ActiveRuns;
  readonly people: PeopleLedger;
  /** Removes the files of a source that this machine stores between syncs. */
  readonly clearScratch: (sourceId: string) => Promise<void>;
  /**
   * Maximum age of a running attempt that is not one of `runs`, in milliseconds; 0 where there are
   * no others.
   */
  readonly foreignAttemptMs: number;
}

/**
 * Maximum time in which a request that was accepted before its process knew of the erasure still
 * writes its file. `own`: in the process that erases; `others`: in other processes, which learn of
 * the erasure within ten seconds.
 */
const ACCEPTED_BEFORE_MS = { own: 2_000, others: NAMED_WITHIN_MS + 10_000 };

/**
 * Carries an erasure as far as possible at the moment. Every step finds its remaining work by
 * itself. So the erasure may be interrupted anywhere and restarted, also in another process: the
 * log names the content, and removed content stays removed.
 *
 * @returns whether nothing is left and the log says so.
 */
export async function eraseTenant(
  dependencies: EraseTenantDependencies,
  cause: Cause,
  signal: AbortSignal,
): Promise<boolean> {
  const { ledger, people, keyRing, indexed, store, runs } = dependencies;
  const { tenantId } = cause;
  await removeSources(dependencies, cause);
  await keyRing.destroy(tenantId);
  for (const person of people.due((id) => id === tenantId, Infinity))
    await erasePerson(dependencies, person);
  // The dispatcher cancels the jobs of removed sources and drops their generations.
  if (hasOpenWork(ledger, tenantId) || people.hasAny(tenantId) || runs.worksForTenant(tenantId))
    return false;
  const content = await contentOf(store, tenantId, signal);
  if (mayStillWrite(dependencies, content)) return false;
  if (!(await indexed.nothingLeft(tenantId, content.lastIndexed))) return false;
  for (const sourceId of content.sourceIds) await dependencies.clearScratch(sourceId);
  const before = settledBefore(dependencies);
  const needed = await markBlobs(dependencies.blobs, ledger);
  const { blobs, bytes, waits } = await destroyBlobs({
    blobs: dependencies.blobs,
    tenantId,
    content,
    needed,
    before,
  });
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
  for (const { cause } of [...sources.values(), ...jobs.values()])
    if (cause.tenantId === tenantId) return true;
  return false;
}

/**
 * Reports whether a process may still write for the tenant without knowing of its end. That is an
 * attempt in another process that never recorded its end, or a request that was accepted before.
 */
function mayStillWrite(
  { clock, foreignAttemptMs }: EraseTenantDependencies,
  content: TenantContent,
): boolean {
  const now = clock.now().getTime();
  const { own, others } = ACCEPTED_BEFORE_MS;
  if (now < content.requestedAt + (foreignAttemptMs > 0 ? others : own)) return true;
  if (foreignAttemptMs === 0) return false;
  return content.unendedAttempts.some(
    (startedAt) => now < startedAt + foreignAttemptMs + NAMED_WITHIN_MS,
  );
}

/**
 * Returns the time before which a blob without an owner is settled: if no event names it by now,
 * none will. If an earlier version may run at the same time, its attempts write such blobs too.
 */
function settledBefore({ clock, foreignAttemptMs }: EraseTenantDependencies): number {
  return clock.now().getTime() - NAMED_WITHIN_MS - foreignAttemptMs;
}

async function complete(
  { store, clock }: EraseTenantDependencies,
  cause: Cause,
  data: Destroyed,
): Promise<void> {
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
