import { describe, expect, it } from '@jest/globals';

import { at, MemoryEventStore } from '#test/support/memory-event-store';
import { proposed, TENANT_A, TENANT_B } from '#test/support/sample-events';

import type { ApiReadModel } from '../engines/engines.js';
import { rowProjection } from './row-projection.js';

describe('a projection in memory of rows', () => {
  const planChanged = (tenantId: string, plan: string) =>
    new MemoryEventStore().record(
      `tenant-${tenantId}`,
      proposed(
        { type: 'TenantPlanChanged', data: { tenant_id: tenantId, plan } },
        { tenant_id: tenantId },
      ),
    );

  /** Plans by tenant, loaded from these rows. */
  function plans(rows: readonly (readonly [string, string])[], position: number | null) {
    const state = new Map<string, string>();
    const asOf = async () => ({ rows, position: position === null ? null : at(position) });
    const options = rowProjection({ asOf } as unknown as Pick<ApiReadModel, 'asOf'>, {
      name: 'plans',
      types: ['TenantPlanChanged'],
      from: { projection: 'tenants', query: async () => rows },
      replace: (loaded) => {
        state.clear();
        for (const [tenant, plan] of loaded) state.set(tenant, plan);
      },
      apply: ({ tenant_id, data }) => void state.set(tenant_id, data.plan),
    });
    return { state, options };
  }

  it('replaces its state with the rows and continues at their position', async () => {
    const { state, options } = plans([[TENANT_A, 'team']], 7);
    state.set(TENANT_B, 'of an earlier load');
    expect(await options.load()).toBe(at(7));
    expect([...state]).toEqual([[TENANT_A, 'team']]);
  });

  it('reads the log from its start before the first batch of the read model', async () => {
    expect(await plans([], null).options.load()).toBe('start');
  });

  it('applies events of its types alone, each to its tenant', async () => {
    const { state, options } = plans([[TENANT_A, 'team']], 0);
    await options.load();
    await options.apply(planChanged(TENANT_B, 'free'));
    await options.apply({ ...planChanged(TENANT_A, 'free'), type: 'PolicyReset', data: {} });
    await options.apply({ ...planChanged(TENANT_A, 'free'), type: 'FromTheFuture' });
    expect([...state]).toEqual([
      [TENANT_A, 'team'],
      [TENANT_B, 'free'],
    ]);
  });
});
