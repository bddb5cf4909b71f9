import type { DataSource } from 'typeorm';

import type { Position } from '#contracts';
import type { EventStore } from '#event-store';
import type { Logger, Tracer } from '#platform';
import type { ProjectionName, ProjectionProgress } from '#read-model';

/** Dependencies of every runner. */
export interface ProjectorContext {
  readonly eventStore: EventStore;
  readonly dataSource: DataSource;
  readonly progress: ProjectionProgress;
  readonly logger: Logger;
  readonly tracer: Tracer;
  /** Events applied in one transaction at most. */
  readonly maxBatch: number;
  /**
   * Called when the live rows of a projection may lack an event, which their checkpoint takes for
   * known.
   */
  readonly onPassedOver: (name: ProjectionName) => void;
}

/**
 * `starting` → `catching-up` → `live`. `retrying`: an engine is unavailable. `failed`: this version
 * cannot read an event, and the projection stops until an upgrade. `standby`: another process
 * maintains the projection. `stopped`: the runner was stopped.
 */
export type RunnerState =
  'starting' | 'catching-up' | 'live' | 'retrying' | 'failed' | 'standby' | 'stopped';

export interface ProjectionHealth {
  readonly name: string;
  /** Everything up to here is in the rows; null before the first batch. */
  readonly position: Position | null;
  /**
   * Milliseconds since the oldest event that was seen and is not yet in the rows was recorded; 0
   * when there is none.
   */
  readonly lag: number;
  readonly state: RunnerState;
  /** Why it is retrying or failed. */
  readonly error?: string;
  /**
   * Number of deliveries at or before a position that the log had already reported, since the
   * start.
   */
  readonly outOfOrder?: number;
}
