import type { DataSource } from 'typeorm';

import type { Position } from '#contracts';
import { advanceCheckpoint, asProjector, type Advance, type TenantRow } from '#read-model';

import { foldBatch } from './fold-batch.js';
import type { ProjectedEvent, TableProjection } from './projection.js';

/** What a projection takes in one step: the events it handles after `from`, up to and including `to`. */
export interface Batch {
  readonly events: readonly ProjectedEvent[];
  readonly to: Position;
}

/**
 * Rows and checkpoint in one transaction. Whoever finds another checkpoint than it came from writes nothing: a second
 * projector loses here instead of applying an event twice.
 */
export function applyBatch(
  dataSource: DataSource,
  projection: TableProjection<TenantRow>,
  version: number,
  from: Position | null,
  { events, to }: Batch,
): Promise<Advance> {
  return asProjector(dataSource, async (manager) => {
    const happenedAt = events.at(-1)?.occurred_at ?? null;
    const advance = await advanceCheckpoint(manager, { name: projection.name, version }, from, to, happenedAt);
    if (advance.outcome === 'advanced') await foldBatch(manager, projection, version, events);
    return advance;
  });
}
