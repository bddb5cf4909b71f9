import type { DomainEventType } from '#contracts';
import type { ReadEvent } from '#event-store';

import type { InMemoryProjection } from './in-memory-projection.js';
import type { InMemoryProjections } from './in-memory-projections.js';
import type { RowProjectionOptions } from './row-projection.js';

/** Source of a map's rows and events, and the functions that apply them. */
export interface InMemoryMapOptions<Row, Type extends DomainEventType, Value> extends Pick<
  RowProjectionOptions<readonly Row[], Type>,
  'name' | 'types' | 'from'
> {
  /** Adds one row to a map that started empty. */
  readonly add: (row: Row, values: Map<string, Value>) => void;
  /** Takes one event that follows; applying an event twice must change nothing. */
  readonly apply: (event: ReadEvent<Type>, values: Map<string, Value>) => void;
}

/**
 * Values by id that begin as the rows of one read model and then follow the log. A reload removes
 * every value that the rows do not contain.
 */
export class InMemoryMap<Row, Type extends DomainEventType, Value> {
  private readonly values = new Map<string, Value>();
  readonly projection: InMemoryProjection;

  constructor(
    projections: Pick<InMemoryProjections, 'followRows'>,
    { name, types, from, add, apply }: InMemoryMapOptions<Row, Type, Value>,
  ) {
    this.projection = projections.followRows({
      name,
      types,
      from,
      replace: (rows) => {
        this.values.clear();
        for (const row of rows) add(row, this.values);
      },
      apply: (event) => apply(event, this.values),
    });
  }

  get(id: string): Value | undefined {
    return this.values.get(id);
  }

  has(id: string): boolean {
    return this.values.has(id);
  }
}
