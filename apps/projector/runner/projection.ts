import type { DomainEventType } from '#contracts';
import type { ReadEvent } from '#event-store';
import {
  type ProjectionName,
  type ReadTable,
  type RowKey,
  tableShape,
  type TenantRow,
} from '#read-model';

/** What a projection may know of an event; time comes from the event, never from the clock. */
export type ProjectedEvent<Type extends DomainEventType = DomainEventType> = ReadEvent<Type>;

/**
 * A read model as a pure fold: each event touches the one row that `keyOf` names, and `evolve`
 * gives that row's next state. Being a function of the events alone is what makes a rebuild give
 * the same bytes.
 */
export interface TableProjection<
  Row extends TenantRow,
  Type extends DomainEventType = DomainEventType,
> {
  readonly name: ProjectionName;
  /** Raised whenever `evolve` gives other rows than before; the start then rebuilds. */
  readonly version: number;
  readonly table: ReadTable<Row>;
  readonly handles: readonly Type[];
  /**
   * Its rows outlive their tenant: they tell of the erasure itself. Default: whoever is erased has
   * no rows.
   */
  readonly keepsErased?: boolean;
  /** Values of the table's key columns, the tenant first. */
  keyOf(event: ProjectedEvent<Type>): RowKey;
  /** The row after the event: undefined is no row, the same object no change. */
  evolve(row: Row | undefined, event: ProjectedEvent<Type>): Row | undefined;
}

/**
 * What ends every row of a tenant. At the end again, for what a process that did not know yet
 * appended in between.
 */
export const ERASURE_TYPES = ['TenantErasureRequested', 'TenantErased'] as const;

/** Whether the event ends all rows of its tenant in a projection. */
export function erases(
  projection: Pick<TableProjection<TenantRow>, 'keepsErased'>,
  { type }: ProjectedEvent,
): boolean {
  return !projection.keepsErased && ERASURE_TYPES.some((erasing) => erasing === type);
}

/**
 * What code understands by a projection, and which version of the log's deliveries its rows are
 * made of. Rows made by another understanding, or of deliveries that may have left something out,
 * are rebuilt.
 */
export function definitionOf(
  projection: Pick<TableProjection<TenantRow>, 'version' | 'table' | 'handles'>,
  deliveryVersion: number,
): string {
  const understood = `${projection.version}/${tableShape(projection.table)}/${[...projection.handles].sort().join('+')}`;
  return deliveryVersion === 1 ? understood : `${understood}/deliveries ${deliveryVersion}`;
}

/** Declares a projection and forgets its row type, so that all of them fit into one list. */
export function defineProjection<Row extends TenantRow, const Type extends DomainEventType>(
  projection: TableProjection<Row, Type>,
): TableProjection<TenantRow> {
  return Object.freeze(projection) as unknown as TableProjection<TenantRow>;
}
