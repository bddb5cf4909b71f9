import type { LiveSource } from '../search-index.port.js';

/** A filter of rows and the routing that reaches them. */
export interface RowFilter {
  readonly routing: readonly string[];
  readonly clause: object;
}

/** A search takes a bounded number of clauses; more clauses become several searches. */
const MAX_GROUPS = 50;
const MAX_SOURCES = 10_000;
/** The server accepts 65,536 values in one clause. */
const MAX_VALUES = 50_000;

/**
 * Returns filters for the rows of generations; sources with the same generation number share a
 * clause.
 */
export function rowFilters(sources: readonly LiveSource[]): RowFilter[] {
  const groups = [
    ...Map.groupBy(sources, ({ tenantId, generation }) => `${generation}/${tenantId}`).values(),
  ].flatMap((group) => slices(group, MAX_SOURCES));
  const filters: RowFilter[] = [];
  let batch: (readonly LiveSource[])[] = [];
  let size = 0;
  for (const group of groups) {
    if (batch.length === MAX_GROUPS || size + group.length > MAX_SOURCES) {
      filters.push(filterOf(batch));
      [batch, size] = [[], 0];
    }
    batch.push(group);
    size += group.length;
  }
  if (batch.length > 0) filters.push(filterOf(batch));
  return filters;
}

/** Returns the filter for the rows of one generation that meet further clauses. */
export function rowFilter(source: LiveSource, ...further: readonly object[]): RowFilter {
  const filter = filterOf([[source]]);
  if (further.length === 0) return filter;
  return { ...filter, clause: { bool: { filter: [filter.clause, ...further] } } };
}

/** Matches rows with one of many values in a field. */
export function anyOf(field: string, values: readonly string[]): object {
  const clauses = slices(values, MAX_VALUES).map((some) => ({ terms: { [field]: some } }));
  return { bool: { should: clauses, minimum_should_match: 1 } };
}

/** Matches rows of a source that are visible at none of some generations. */
export function unseenRows(
  tenantId: string,
  sourceId: string,
  generations: readonly number[],
): object {
  return {
    bool: {
      filter: [{ term: { tenant_id: tenantId } }, { term: { source_id: sourceId } }],
      must_not: generations.map((generation) => ({ bool: visibleAt(generation) })),
    },
  };
}

/**
 * Matches rows of a source that begin or end after a generation. Without any, every later number
 * shows the same rows.
 */
export function rowsBeyond({ tenantId, sourceId, generation }: LiveSource): RowFilter {
  const beyond = ['from_generation', 'to_generation'].map((field) => ({
    range: { [field]: { gt: generation } },
  }));
  const filter = [{ term: { tenant_id: tenantId } }, { term: { source_id: sourceId } }];
  return {
    routing: [tenantId],
    clause: { bool: { filter, should: beyond, minimum_should_match: 1 } },
  };
}

export function slices<T>(values: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(values.length / size) }, (_, at) =>
    values.slice(at * size, (at + 1) * size),
  );
}

function filterOf(groups: readonly (readonly LiveSource[])[]): RowFilter {
  const routing = [...new Set(groups.flat().map(({ tenantId }) => tenantId))];
  const should = groups.map(([first, ...rest]) => {
    const { tenantId, generation } = first as LiveSource;
    const { filter, must_not } = visibleAt(generation);
    const ids = [first as LiveSource, ...rest].map(({ sourceId }) => sourceId);
    return {
      bool: {
        filter: [{ term: { tenant_id: tenantId } }, { terms: { source_id: ids } }, ...filter],
        must_not,
      },
    };
  });
  return { routing, clause: { bool: { should, minimum_should_match: 1 } } };
}

function visibleAt(generation: number): {
  readonly filter: readonly object[];
  readonly must_not: readonly object[];
} {
  return {
    filter: [{ range: { from_generation: { lte: generation } } }],
    must_not: [{ range: { to_generation: { lte: generation } } }],
  };
}
