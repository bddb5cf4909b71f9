import type { DataSource } from 'typeorm';

import type { Position, RecordedEvent } from '#contracts';
import { readEvent } from '#event-store';
import type { Advance, ProjectionName, TenantRow } from '#read-model';

import { applyBatch } from './apply-batch.js';
import { ERASURE_TYPES, type ProjectedEvent, type TableProjection } from './projection.js';

/** Stored events after a checkpoint, up to and including `to`. */
export interface RecordedBatch {
  readonly events: readonly RecordedEvent[];
  readonly to: Position;
}

/** A projection that a runner keeps up to date, batch by batch. */
export interface BatchProjection {
  readonly name: ProjectionName;
  /** Event types that it subscribes to. */
  readonly types: readonly string[];
  /**
   * Writes the rows of a batch and its checkpoint in one transaction; writes nothing unless the
   * outcome is `advanced`.
   */
  commit(
    dataSource: DataSource,
    version: number,
    from: Position | null,
    batch: RecordedBatch,
  ): Promise<Advance>;
}

/** Returns the batches of a projection that folds events into the rows of one table. */
export function tableBatches(projection: TableProjection<TenantRow>): BatchProjection {
  return {
    name: projection.name,
    types: [...new Set([...projection.handles, ...ERASURE_TYPES])],
    commit: (dataSource, version, from, { events, to }) => {
      const read = events
        .map(readEvent)
        .filter((event): event is ProjectedEvent => event !== undefined);
      return applyBatch(dataSource, projection, version, from, { events: read, to });
    },
  };
}
