import type { EntityManager } from 'typeorm';

import { deleteRows, keyText, loadRows, upsertRows, type RowKey, type TenantRow } from '#read-model';

import type { ProjectedEvent, TableProjection } from './projection.js';

interface Slot {
  readonly key: RowKey;
  readonly before: TenantRow | undefined;
  row: TenantRow | undefined;
}

/**
 * Applies events in order: loads the rows they touch, folds in memory and writes what changed, in at most three
 * statements whatever the number of events.
 */
export async function foldBatch(
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
