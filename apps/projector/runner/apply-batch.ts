import type { DataSource, EntityManager } from 'typeorm';

import type { Position } from '#contracts';
import {
  type Advance,
  advanceCheckpoint,
  asProjector,
  deleteRows,
  deleteRowsOfTenant,
  keyText,
  loadRows,
  type ProjectionName,
  type RowKey,
  type TenantRow,
  upsertRows,
} from '#read-model';

import { erases, type ProjectedEvent, type TableProjection } from './projection.js';

interface Slot {
  readonly key: RowKey;
  readonly before: TenantRow | undefined;
  row: TenantRow | undefined;
}

/** Applies events in order; the erasure of a tenant ends the rows of what came before it. */
async function applyEvents(
  manager: EntityManager,
  projection: TableProjection<TenantRow>,
  version: number,
  events: readonly ProjectedEvent[],
): Promise<void> {
  let folded = 0;
  for (const [at, event] of events.entries()) {
    if (!erases(projection, event)) continue;
    await foldBatch(manager, projection, version, events.slice(folded, at));
    await deleteRowsOfTenant(manager, projection.table, version, event.tenant_id);
    folded = at + 1;
  }
  await foldBatch(manager, projection, version, events.slice(folded));
}

/**
 * Applies events in order: loads the rows they touch, folds in memory and writes the changes. That
 * takes at most three statements, whatever the number of events.
 */
async function foldBatch(
  manager: EntityManager,
  projection: TableProjection<TenantRow>,
  version: number,
  events: readonly ProjectedEvent[],
): Promise<void> {
  const slots = await slotsOf(manager, projection, version, events);
  for (const event of events) {
    const slot = slots.get(keyText(projection.keyOf(event)));
    if (slot) slot.row = projection.evolve(slot.row, event);
  }
  const changed = [...slots.values()].filter((slot) => slot.row !== slot.before);
  const gone = changed.filter((slot) => slot.row === undefined);
  await deleteRows(
    manager,
    projection.table,
    version,
    gone.map(({ key }) => key),
  );
  await upsertRows(
    manager,
    projection.table,
    version,
    changed.flatMap(({ row }) => row ?? []),
  );
}

async function slotsOf(
  manager: EntityManager,
  projection: TableProjection<TenantRow>,
  version: number,
  events: readonly ProjectedEvent[],
): Promise<Map<string, Slot>> {
  const { table } = projection;
  const touched = events.map((event) => projection.keyOf(event));
  const keys = new Map(touched.map((key) => [keyText(key), key]));
  const rows = await loadRows(manager, table, version, [...keys.values()]);
  const byKey = new Map(rows.map((row) => [keyText(table.key.map((column) => row[column])), row]));
  return new Map(
    [...keys].map(([text, key]) => {
      const before = byKey.get(text);
      return [text, { key, before, row: before }];
    }),
  );
}

/** One step of a projection: the events it handles after `from`, up to and including `to`. */
export interface Batch {
  readonly events: readonly ProjectedEvent[];
  readonly to: Position;
}

/** Applies a batch to the table of a projection. */
export function applyBatch(
  dataSource: DataSource,
  projection: TableProjection<TenantRow>,
  version: number,
  from: Position | null,
  { events, to }: Batch,
): Promise<Advance> {
  const step = { name: projection.name, version, from, to };
  return commitStep(dataSource, step, events.at(-1)?.occurred_at ?? null, (manager) =>
    applyEvents(manager, projection, version, events),
  );
}

/** One step of a version of a projection, from a stored checkpoint to the next. */
interface ProjectionStep {
  readonly name: ProjectionName;
  readonly version: number;
  readonly from: Position | null;
  readonly to: Position;
}

/**
 * Writes rows and checkpoint in one transaction. Writes nothing if the stored checkpoint is not the
 * step's: a second projector loses here instead of applying an event twice.
 */
export function commitStep(
  dataSource: DataSource,
  { name, version, from, to }: ProjectionStep,
  happenedAt: string | null,
  write: (manager: EntityManager) => Promise<void>,
): Promise<Advance> {
  return asProjector(dataSource, async (manager) => {
    const advance = await advanceCheckpoint(manager, { name, version }, from, to, happenedAt);
    if (advance.outcome === 'advanced') await write(manager);
    return advance;
  });
}
