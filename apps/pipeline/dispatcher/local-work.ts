import type { RecordedDomainEvent } from '#event-store';

import type { Reactor } from '../reactor/reactor.types.js';
import type { ActiveRuns } from '../worker/active-runs.js';
import { type Ledger, LEDGER_TYPES } from './ledger.js';
import { sourceOf } from './source-entry.js';

export interface LocalWorkDependencies {
  /** Must apply each event before this reactor does. */
  readonly ledger: Ledger;
  readonly runs: ActiveRuns;
  /** Removes the files of a source that this machine stores between syncs. */
  readonly clearScratch: (sourceId: string) => Promise<void>;
  /** Called when blobs may be left that no event names. */
  readonly onLeftBlobs: () => void;
}

/**
 * Ends the work of this process that an event made useless: attempts of jobs that ended or lost
 * their lease. It also removes files of sources that were removed or whose first sync failed. Every
 * process has such work, so it runs everywhere.
 */
export class LocalWork implements Reactor {
  readonly name = 'local-work';
  readonly eventTypes = LEDGER_TYPES;
  readonly runsEverywhere = true;
  private isLive = false;
  /** Open jobs that lost an attempt, with everything it wrote. */
  private readonly lostAttempts = new Set<string>();
  /** Sources whose files are to be removed. */
  private readonly removable = new Set<string>();

  constructor(private readonly dependencies: LocalWorkDependencies) {}

  caughtUp(): void {
    this.isLive = true;
  }

  apply(event: RecordedDomainEvent): boolean {
    if (!this.isLive) return false;
    this.endRuns(event);
    return this.noteRemovable(event);
  }

  async run(): Promise<void> {
    for (const sourceId of this.removable) {
      await this.dependencies.clearScratch(sourceId);
      this.removable.delete(sourceId);
    }
  }

  private endRuns(event: RecordedDomainEvent): void {
    const { ledger, runs, onLeftBlobs } = this.dependencies;
    switch (event.type) {
      case 'SourceRemoved': {
        const source = ledger.sources.get(event.data.source_id);
        if (source?.lastJobId) runs.end(source.lastJobId, 'The source was removed');
        return;
      }
      case 'JobStageLost':
        this.lostAttempts.add(event.data.job_id);
        return runs.end(event.data.job_id, 'The lease was lost');
      case 'JobCompleted':
      case 'JobFailed':
      case 'JobCancelled': {
        const { job_id } = event.data;
        runs.end(job_id, `The job ended by ${event.type}`);
        // The worker of the last stage of a completed job has deleted its input itself.
        if (this.lostAttempts.delete(job_id) || event.type !== 'JobCompleted') onLeftBlobs();
        return;
      }
      default:
        return;
    }
  }

  private noteRemovable(event: RecordedDomainEvent): boolean {
    const { ledger, onLeftBlobs } = this.dependencies;
    const sourceId = sourceOf(event);
    if (sourceId === null) return false;
    const source = ledger.sources.get(sourceId);
    // A plan counts the content of published generations: a failed first sync leaves no other.
    const failedFirst =
      event.type === 'JobFailed' && !source?.generations.some(({ state }) => state === 'published');
    if (source && !failedFirst) return false;
    onLeftBlobs();
    this.removable.add(sourceId);
    return true;
  }
}
