import type { DomainEventType } from '#contracts';
import type { ReadEvent } from '#event-store';
import {
  type ProjectionName,
  type ReadTable,
  type RowKey,
  tableShape,
  type TenantRow,
} from '#read-model';

/** The event as a projection sees it; time comes from the event, never from the clock. */
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
   * True if its rows outlive their tenant because they record the erasure itself. Default: an
   * erased tenant has no rows.
   */
  readonly keepsErased?: boolean;
  /** Values of the table's key columns, the tenant first. */
  keyOf(event: ProjectedEvent<Type>): RowKey;
  /** The row after the event: undefined is no row, the same object no change. */
  evolve(row: Row | undefined, event: ProjectedEvent<Type>): Row | undefined;
}

/**
 * Events that end every row of a tenant. The last one does so again, for events that a process
 * unaware of the erasure appended in between.
 */
export const ERASURE_TYPES = ['TenantErasureRequested', 'TenantErased'] as const;

/** Returns whether the event ends all rows of its tenant in a projection. */
export function erases(
  projection: Pick<TableProjection<TenantRow>, 'keepsErased'>,
  { type }: ProjectedEvent,
): boolean {
  return !projection.keepsErased && ERASURE_TYPES.some((erasing) => erasing === type);
}

/**
 * Identifies the code's understanding of a projection, and the version of the log's deliveries
 * behind its rows. Rows are rebuilt if other code wrote them, or if their deliveries may have left
 * something out.
 */
export function definitionOf<Row extends TenantRow>(
  projection: {
    readonly version: number;
    readonly table: ReadTable<Row>;
    readonly handles: readonly string[];
  },
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
