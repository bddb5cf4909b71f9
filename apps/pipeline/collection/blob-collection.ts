import type { BlobStore, Clock, Config, Logger } from '#platform';

import type { BlobOwner } from '../artifacts/blob-owner.js';
import type { Ledger } from '../dispatcher/ledger.js';
import type { IndexedGenerations } from '../indexed-generations.js';
import type { CollectedBlobs } from '../pipeline.types.js';
import type { Reactor } from '../reactor/reactor.types.js';
import type { ActiveRuns } from '../worker/active-runs.js';
import { collectBlobs, markBlobs } from './collect-blobs.js';
import { NAMED_WITHIN_MS } from './settled.js';

export interface BlobCollectionDependencies {
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: Pick<Config, 'jobs'>;
  /** Rejects unless log and content, both read again, belong together. */
  readonly identity: { confirm(store: 'blobs'): Promise<void> };
  readonly ledger: Ledger;
  readonly runs: ActiveRuns;
  readonly indexed: Pick<IndexedGenerations, 'hasTakenIn'>;
  /** Reports whether this log ever had a source. */
  readonly knowsSource: (sourceId: string) => Promise<boolean>;
  /** Blobs of other open work, which stay. */
  readonly neededBlobs: () => Iterable<string>;
  /**
   * Longest time in milliseconds that an attempt outside of `runs` may go on; 0 where there are no
   * others.
   */
  readonly foreignAttemptMs: number;
  /** From a request to its round, milliseconds: what ends together is collected together. */
  readonly requestWaitsMs: number;
  /** Returns whether this process is the one that collects; called before each removal. */
  readonly mayCollect: () => boolean;
}

const NOTHING: CollectedBlobs = Object.freeze({ removed: 0, bytes: 0 });
const ROUND_EVERY_MS = 3_600_000;
const OLDER_THAN_MS = 24 * 3_600_000;
/**
 * A round lists the whole store: the next requested one waits so long, and so many times as long as
 * the last one took.
 */
const BETWEEN_REQUESTED_MS = 60_000;
const REST_PER_ROUND = 20;

/**
 * Removes blobs that nothing needs; nothing unless that very round confirms that log and content
 * belong together.
 *
 * Parts, packs and manifests name their source. They are removed once it has no job and no running
 * attempt. Uploaded files of a removed source are removed once no request can be about to name the
 * same bytes.
 *
 * Tables of SCIP indexes name their source too. They are removed once no request can be about to
 * name them.
 *
 * Any other blob is removed when it is older than a day and than any running attempt. Such blobs
 * are uploads that no event named, and all content of sources that this log never had. An emptied
 * or older log would otherwise lose that content within minutes of being adopted.
 */
export class BlobCollection implements Reactor {
  readonly name = 'blob-collection';
  readonly eventTypes: readonly [] = [];
  readonly liveEventTypes = ['SourceScipRemoved'] as const;
  readonly intervalMs = 500;
  private pauses = 0;
  private requestedAt: number | null = null;
  private restsUntil = -Infinity;
  private nextRoundAt: number;

  constructor(private readonly dependencies: BlobCollectionDependencies) {
    this.nextRoundAt = dependencies.clock.monotonic() + ROUND_EVERY_MS;
  }

  /** Asks for a round after the removal of SCIP indexes, whose tables nothing needs any more. */
  apply(): boolean {
    this.request();
    return false;
  }

  /** Collects when a requested round or the hourly one is due. */
  async run(): Promise<void> {
    await this.runRequested();
    const now = this.dependencies.clock.monotonic();
    if (now < this.nextRoundAt) return;
    this.nextRoundAt = now + ROUND_EVERY_MS;
    await this.collect();
  }

  /** Asks for a round soon, since blobs may have been left that no event names. */
  request(): void {
    this.requestedAt ??= this.dependencies.clock.monotonic();
  }

  /** Carries out a requested round when it is due. A round that fails stays requested. */
  private async runRequested(): Promise<void> {
    const { clock } = this.dependencies;
    const began = clock.monotonic();
    if (this.requestedAt === null || !this.mayContinue) return;
    if (began < this.requestedAt + this.dependencies.requestWaitsMs || began < this.restsUntil)
      return;
    const requested = this.requestedAt;
    this.requestedAt = null;
    try {
      await this.collect();
    } catch (error) {
      this.requestedAt ??= requested;
      throw error;
    } finally {
      const took = clock.monotonic() - began;
      this.restsUntil = clock.monotonic() + Math.max(BETWEEN_REQUESTED_MS, REST_PER_ROUND * took);
    }
  }

  /** Carries out a round now. */
  async collect(): Promise<CollectedBlobs> {
    const { blobs, clock, config, ledger, runs, indexed, foreignAttemptMs } = this.dependencies;
    if (!this.mayContinue) return NOTHING;
    // Taken before marking: blobs of an attempt that ends in between are not marked, but they are
    // younger than its start. An attempt in another process is not known here, but it is not older
    // than a stage may take.
    const now = clock.now().getTime();
    const settled = now - OLDER_THAN_MS - config.jobs.stageTimeoutSeconds * 1_000;
    const before = Math.min(settled, runs.oldestStart ?? Infinity);
    const released = ledger.collectableUploads();
    const waiting = new Set<string>();
    const ofIdle = now - foreignAttemptMs;
    // A generation that the index has yet to load before it drops it needs its content.
    const mayTakeContent = await indexed.hasTakenIn(ledger.lastIndexed);
    const marked = new Set([
      ...(await markBlobs(blobs, ledger)),
      ...this.dependencies.neededBlobs(),
    ]);
    if (!(await this.contentIsOurs())) return NOTHING;
    const isKnown = remembered(this.dependencies.knowsSource);
    let postponed = false;
    const beforeOf = async (hash: string, owner: BlobOwner | null): Promise<number | null> => {
      if (owner === null && !released.has(hash)) return null;
      if (owner === null) {
        waiting.add(hash);
        return now - NAMED_WITHIN_MS;
      }
      if (!(await isKnown(owner.sourceId))) return null;
      // A request may be about to name a table; no stage of a job writes one.
      if (owner.kind === 'scip') return now - NAMED_WITHIN_MS;
      const hasJob = ledger.hasJobOf(owner.sourceId);
      const isIdle = !hasJob && !runs.worksOnSource(owner.sourceId);
      // The end of a job requests a round; the end of its last attempt and the progress of the
      // index do not.
      postponed ||= !hasJob && !(isIdle && (mayTakeContent || owner.kind === 'part'));
      if (owner.kind === 'part') return isIdle ? ofIdle : -Infinity;
      return isIdle && mayTakeContent ? ofIdle : null;
    };
    const collected = await collectBlobs({
      blobs,
      marked,
      before,
      beforeOf,
      mayContinue: () => this.mayContinue,
    });
    if (postponed) this.request();
    if (this.mayContinue) await this.forgetReleased(released, waiting);
    return collected;
  }

  /** Pauses the collection while `work` runs; a running round stops. */
  async pausedDuring<T>(work: () => Promise<T>): Promise<T> {
    this.pauses += 1;
    try {
      return await work();
    } finally {
      this.pauses -= 1;
    }
  }

  get isPaused(): boolean {
    return this.pauses > 0;
  }

  private get mayContinue(): boolean {
    return !this.isPaused && this.dependencies.mayCollect();
  }

  /**
   * Forgets the uploads of removed sources that are gone from the store; asks again for those that
   * had to wait.
   */
  private async forgetReleased(
    released: ReadonlySet<string>,
    waiting: ReadonlySet<string>,
  ): Promise<void> {
    const { blobs, ledger } = this.dependencies;
    for (const hash of released) {
      if (waiting.has(hash) && (await blobs.has(hash))) this.request();
      else ledger.releasedUploads.delete(hash);
    }
  }

  /** Content that this log does not name may be everything that another log has. */
  private async contentIsOurs(): Promise<boolean> {
    const { identity, logger } = this.dependencies;
    try {
      await identity.confirm('blobs');
      return true;
    } catch (error) {
      logger.warn({ err: error }, 'No content is collected: it is not sure to belong to this log');
      return false;
    }
  }
}

/** Asks once for each source of a round. */
function remembered(
  ask: (sourceId: string) => Promise<boolean>,
): (sourceId: string) => Promise<boolean> {
  const answers = new Map<string, Promise<boolean>>();
  return (sourceId) => {
    const answer = answers.get(sourceId) ?? ask(sourceId);
    answers.set(sourceId, answer);
    return answer;
  };
}
