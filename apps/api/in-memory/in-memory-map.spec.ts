import { describe, expect, it } from '@jest/globals';

import type { ReadEvent } from '#event-store';

import { InMemoryMap } from './in-memory-map.js';
import type { InMemoryProjection } from './in-memory-projection.js';
import type { InMemoryProjections } from './in-memory-projections.js';
import type { RowProjectionOptions } from './row-projection.js';

interface Row {
  readonly id: string;
  readonly plan: string;
}

type Options = RowProjectionOptions<readonly Row[], 'TenantPlanChanged'>;

/** A map whose loads and events a test calls by hand. */
function mapOfPlans() {
  let followed: Options | undefined;
  const projection = { name: 'test' } as InMemoryProjection;
  const projections = {
    followRows: (options: unknown) => {
      followed = options as Options;
      return projection;
    },
  } as Pick<InMemoryProjections, 'followRows'>;
  const map = new InMemoryMap(projections, {
    name: 'test',
    types: ['TenantPlanChanged'],
    from: { projection: 'tenants', query: () => Promise.resolve<Row[]>([]) },
    add: ({ id, plan }: Row, plans: Map<string, string>) => plans.set(id, plan),
    apply: ({ data }, plans) => plans.set(data.tenant_id, data.plan),
  });
  if (!followed) throw new Error('The map does not follow anything');
  return { map, projection, followed };
}

const changed = (tenant_id: string, plan: string) =>
  ({ type: 'TenantPlanChanged', data: { tenant_id, plan } }) as ReadEvent<'TenantPlanChanged'>;

describe('a map in memory', () => {
  it('returns the values of the rows, then those of the events', async () => {
    const { map, followed } = mapOfPlans();
    followed.replace([{ id: 'a', plan: 'small' }], null);
    await followed.apply(changed('b', 'large'));
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual(['small', 'large', undefined]);
    expect([map.has('b'), map.has('c')]).toEqual([true, false]);
  });

  it('removes values that a reload does not contain', async () => {
    const { map, followed } = mapOfPlans();
    followed.replace([{ id: 'a', plan: 'small' }], null);
    await followed.apply(changed('b', 'large'));
    followed.replace([{ id: 'b', plan: 'small' }], null);
    expect([map.has('a'), map.get('b')]).toEqual([false, 'small']);
  });

  it('follows the log by its own projection', () => {
    const { map, projection, followed } = mapOfPlans();
    expect(map.projection).toBe(projection);
    expect([followed.name, followed.types]).toEqual(['test', ['TenantPlanChanged']]);
  });
});
