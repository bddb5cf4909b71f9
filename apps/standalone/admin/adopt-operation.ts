import { DISPATCHER_CHECKPOINT } from '#apps/pipeline/dispatcher/dispatcher';
import type { Projector } from '#apps/projector/projector';
import { type Engines, type StoreName, type StorePlace, STORES, type StoreState } from '#engines';
import type { LeaseHolder, LogId } from '#platform';

/** The result for one store. */
export interface AdoptedStore extends StorePlace {
  readonly state: StoreState;
  readonly boundBefore: LogId | null;
  /** True if its content is rebuilt from the log; that of the others is unchanged. */
  readonly isRebuilt: boolean;
}

export interface Adoption {
  readonly log: LogId;
  readonly stores: readonly AdoptedStore[];
}

/** Leases of which a running service on servers holds at least one. */
const LEASES = ['dispatcher', 'projection:sources'];
const LEASE_WITHIN_MS = 10_000;

/**
 * Binds every store to the current log. Disposable stores of another log are emptied; content and
 * keys stay, although this log may name none of them.
 * @throws Error while a process of the service runs.
 */
export async function adopt(
  engines: Engines,
  projector: Pick<Projector, 'startOver'>,
): Promise<Adoption> {
  return alone(engines.leases, LEASES, async () => {
    const emptied = new Set<StoreName>();
    const { log, before } = await engines.identity.adopt(async ({ store }) => {
      if (!STORES[store].disposable) return;
      await empty(store, engines, projector);
      emptied.add(store);
    });
    const stores = before.stores.map(({ store, state, boundTo: boundBefore }) => {
      return {
        ...engines.identity.places(store),
        state,
        boundBefore,
        isRebuilt: emptied.has(store),
      };
    });
    return { log, stores };
  });
}

async function empty(
  store: StoreName,
  { queue, feed, searchIndex }: Engines,
  projector: Pick<Projector, 'startOver'>,
): Promise<void> {
  switch (store) {
    case 'readModel':
      return projector.startOver();
    case 'searchIndex':
      for (const { tenantId, sourceId, generation } of await searchIndex.generations()) {
        await searchIndex.dropGeneration(tenantId, sourceId, generation);
      }
      return;
    case 'queue':
      // Every open job of the log is dispatched; the messages in the queue belong to none of its
      // jobs.
      return queue.saveCheckpoint(DISPATCHER_CHECKPOINT, '');
    case 'feed':
      return feed?.saveCheckpoint('');
    case 'blobs':
    case 'keyRing':
      return;
  }
}

/** Runs work while this process holds the leases, one inside the other. */
async function alone<T>(
  leases: LeaseHolder,
  [name, ...others]: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  if (name === undefined) return work();
  const waiting = new AbortController();
  const timer = setTimeout(() => waiting.abort(), LEASE_WITHIN_MS);
  const results: T[] = [];
  const run = async () => {
    clearTimeout(timer);
    results.push(await alone(leases, others, work));
  };
  await leases.hold(name, run, { signal: waiting.signal }).finally(() => clearTimeout(timer));
  const [result] = results;
  if (result === undefined)
    throw new Error('A process of the service runs on these servers; stop all of them first');
  return result;
}
