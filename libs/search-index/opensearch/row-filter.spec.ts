import { describe, expect, it } from '@jest/globals';

import type { LiveSource } from '../search-index.port.js';
import { anyOf, rowFilters } from './row-filter.js';

const live = (tenantId: string, sourceId: string, generation: number): LiveSource => ({
  tenantId,
  sourceId,
  generation,
});

describe('filters of rows', () => {
  it('name the tenant besides the sources, and group sources with the same generation number', () => {
    const filters = rowFilters([live('t', 'a', 2), live('t', 'b', 2), live('u', 'a', 2)]);
    const group = (tenant_id: string, source_id: readonly string[]): object => ({
      bool: {
        filter: [
          { term: { tenant_id } },
          { terms: { source_id } },
          { range: { from_generation: { lte: 2 } } },
        ],
        must_not: [{ range: { to_generation: { lte: 2 } } }],
      },
    });
    expect(filters).toEqual([
      {
        routing: ['t', 'u'],
        clause: {
          bool: { should: [group('t', ['a', 'b']), group('u', ['a'])], minimum_should_match: 1 },
        },
      },
    ]);
  });

  it('are several if one would have too many clauses or values, and omit no source', () => {
    const sources = Array.from({ length: 25_000 }, (_, at) =>
      live('t', `s${at}`, at < 20_000 ? 1 : at),
    );
    const filters = rowFilters(sources);
    const clauses = filters.map(({ clause }) => JSON.stringify(clause));
    expect(filters.length).toBe(2 + 5_000 / 50);
    const named = clauses.flatMap((clause) => clause.match(/"s\d+"/g) ?? []);
    expect(new Set(named).size).toBe(25_000);
    expect(named).toHaveLength(25_000);
    for (const clause of clauses)
      expect((clause.match(/"range"/g) ?? []).length).toBeLessThanOrEqual(100);
  });

  it('are empty for no source', () => {
    expect(rowFilters([])).toEqual([]);
  });

  it('match as many values as given', () => {
    const values = Array.from({ length: 120_000 }, (_, at) => `v${at}`);
    const { bool } = anyOf('file_key', values) as {
      bool: { should: { terms: { file_key: string[] } }[] };
    };
    expect(bool.should.map(({ terms }) => terms.file_key.length)).toEqual([50_000, 50_000, 20_000]);
  });
});
