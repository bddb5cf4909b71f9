import type { BlobStore, Clock, Config, Logger } from '#platform';

import type { Ledger } from '../dispatcher/ledger.js';
import type { ActiveRuns } from '../worker/active-runs.js';
import { collectBlobs, markBlobs } from './collect-blobs.js';

export interface BlobCollectionDependencies {
  readonly blobs: BlobStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: Pick<Config, 'jobs'>;
  /** Tells whether the log and the content belong together, both read anew. */
  readonly identity: { confirm(store: 'blobs'): Promise<void> };
  readonly ledger: Ledger;
  readonly runs: ActiveRuns;
  /** Whether this process is the one that collects, asked before each removal. */
  readonly mayCollect: () => boolean;
}

/** What one round removed. */
export interface CollectedBlobs {
  readonly removed: number;
  readonly bytes: number;
}

const NOTHING: CollectedBlobs = Object.freeze({ removed: 0, bytes: 0 });
const OLDER_THAN_MS = 24 * 3_600_000;

/**
 * Removes blobs that nothing needs and that are older than a day and than any attempt at work; nothing unless log and
 * content are found to belong together in that very round.
 */
export class BlobCollection {
  private pauses = 0;

  constructor(private readonly dependencies: BlobCollectionDependencies) {}

  async run(): Promise<CollectedBlobs> {
    const { blobs, clock, config, ledger, runs } = this.dependencies;
    if (!this.mayContinue) return NOTHING;
    // Before marking: what an attempt that ends meanwhile has put is not marked, and younger than its start.
    // An attempt in another process is not known here, but it is not older than a stage may take.
    const longestAttempt = config.jobs.stageTimeoutSeconds * 1_000;
    const settled = clock.now().getTime() - OLDER_THAN_MS - longestAttempt;
    const before = Math.min(settled, runs.oldestStart ?? Infinity);
    const marked = await markBlobs(blobs, ledger);
    if (!(await this.contentIsOurs())) return NOTHING;
    return collectBlobs({ blobs, marked, before, mayContinue: () => this.mayContinue });
  }

  /** Keeps the collection away while `work` runs; one under way stops. */
  async pausedDuring<T>(work: () => Promise<T>): Promise<T> {
    this.pauses += 1;
    try {
      return await work();
    } finally {
      this.pauses -= 1;
    }
  }

  private get mayContinue(): boolean {
    return this.pauses === 0 && this.dependencies.mayCollect();
  }

  /** What nothing in this log names may be all that another one has. */
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
