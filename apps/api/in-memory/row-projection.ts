import type { DomainEventType, Position } from '#contracts';
import { type ReadEvent, readEvent } from '#event-store';

import type { ApiReadModel } from '../engines/engines.js';
import type { InMemoryProjectionOptions } from './in-memory-projection.js';

type ProjectionName = Parameters<ApiReadModel['asOf']>[0];
type AllTenantsQuery<Rows> = (
  manager: Parameters<Parameters<ApiReadModel['asOf']>[1]>[0],
) => Promise<Rows>;

/** State in memory that begins as rows of one read model and then follows the log. */
export interface RowProjectionOptions<Rows, Type extends DomainEventType> {
  readonly name: string;
  /** Event types that `apply` takes. */
  readonly types: readonly Type[];
  /** The read model and its query for the rows of all tenants. */
  readonly from: { readonly projection: ProjectionName; readonly query: AllTenantsQuery<Rows> };
  /**
   * Replaces the whole state with rows. Runs at the start, and again when the log's subscription
   * cannot continue.
   *
   * @param position that of the read model; null before its first batch.
   */
  readonly replace: (rows: Rows, position: Position | null) => void;
  /** Takes one event that follows; applying an event twice must change nothing. */
  readonly apply: (event: ReadEvent<Type>) => void | Promise<void>;
}

/** Returns how such a state is loaded and followed. */
export function rowProjection<Rows, Type extends DomainEventType>(
  readModel: Pick<ApiReadModel, 'asOf'>,
  { name, types, from, replace, apply }: RowProjectionOptions<Rows, Type>,
): Pick<InMemoryProjectionOptions, 'name' | 'types' | 'load' | 'apply'> {
  const isTaken = (event: ReadEvent): event is ReadEvent<Type> =>
    (types as readonly DomainEventType[]).includes(event.type);
  return {
    name,
    types,
    load: async () => {
      const { rows, position } = await readModel.asOf(from.projection, from.query);
      replace(rows, position);
      return position ?? 'start';
    },
    apply: (recorded) => {
      const event = readEvent(recorded);
      return event && isTaken(event) ? apply(event) : undefined;
    },
  };
}
