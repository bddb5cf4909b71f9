import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';

import type { Position } from '#contracts';
import type { JobView } from '#contracts/http/index';
import { EVENT_STORE, type EventStore } from '#event-store';
import { CLOCK, type Clock } from '#platform';

import { LiveSources } from '../sources/live-sources.js';
import { Projected, PROJECTION_WAIT_MS } from '../write/projected.js';

/** Longer ago than any projection is behind: such an end shows everywhere. */
const LONG_AGO_MS = 60_000;
const MAX_KEPT = 10_000;

/**
 * Delays the reported end of a job until source, history and content show it, for at most two
 * seconds. Read models follow the log independently, so a client could otherwise see older state.
 */
@Injectable()
export class JobVisibility {
  private readonly shown = new LRUCache<string, true>({ max: MAX_KEPT });

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly projected: Projected,
    private readonly liveSources: LiveSources,
  ) {}

  /** Waits for what the jobs' ends changed, as far as they ended just now. */
  async show(jobs: readonly JobView[]): Promise<void> {
    const recent = this.clock.now().getTime() - LONG_AGO_MS;
    await Promise.all(
      jobs.map(async ({ id, status, completed_at }) => {
        if (completed_at === null || Date.parse(completed_at) < recent || this.shown.has(id))
          return;
        for await (const { position } of this.store.read(`job-${id}`, {
          backwards: true,
          limit: 1,
        })) {
          if (await this.showAt(position, status)) this.shown.set(id, true);
        }
      }),
    );
  }

  /**
   * Waits for what the end at a place in the log changed. @returns false when it did not show in
   * time.
   */
  async showAt(position: Position, status: JobView['status']): Promise<boolean> {
    const waits = [this.projected.reached('sources', position)];
    if (status === 'completed') {
      waits.push(
        this.projected.reached('source_history', position),
        this.liveSources.projection.waitFor(position, PROJECTION_WAIT_MS),
      );
    }
    return (await Promise.all(waits)).every(Boolean);
  }
}
