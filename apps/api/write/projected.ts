import { Inject, Injectable } from '@nestjs/common';

import type { Position } from '#contracts';
import { EVENT_STORE, type EventStore } from '#event-store';
import type { ProjectionName } from '#read-model';

import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';

/**
 * A client reads its own write: an answer waits this long for the projection it is about to read.
 */
export const PROJECTION_WAIT_MS = 2_000;

/** Waits for projections on behalf of a caller that just wrote. */
@Injectable()
export class Projected {
  constructor(
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'head'>,
  ) {}

  /**
   * @param position of the append; null when nothing was appended, so that there is nothing to wait
   * for.
   * @returns whether the projection has it; if not in time, the answer comes from the decided
   * state.
   */
  async reached(projection: ProjectionName, position: Position | null): Promise<boolean> {
    if (position === null) return true;
    return this.readModel.waitFor(projection, position, PROJECTION_WAIT_MS).catch(() => false);
  }

  /** Waits for everything that the log has now. @returns false if the projection is late. */
  async caughtUp(projection: ProjectionName): Promise<boolean> {
    return this.reached(projection, await this.store.head());
  }
}
