import { type TenantCommand, tenantDecider, type TenantState } from '#domain';
import { foldStream, handleCommand } from '#event-store';
import { systemClock, uuidv7 } from '#platform';

import type { PipelineHarness } from './pipeline-harness.js';

/** Decides a command of a tenant, as one of its keys. */
export function commandTenant(
  { store }: PipelineHarness,
  tenant: string,
  command: TenantCommand,
): Promise<unknown> {
  return handleCommand({
    store,
    decider: tenantDecider,
    stream: `tenant-${tenant}`,
    expected: 'any',
    decide: (state) => tenantDecider.decide(command, state),
    context: {
      commandId: uuidv7(),
      metadata: {
        tenant_id: tenant,
        actor: { type: 'api_key', id: 'k1' },
        correlation_id: 'request-1',
        causation_id: 'request-1',
        occurred_at: new Date().toISOString(),
      },
      deadline: systemClock.monotonic() + 5_000,
    },
    clock: systemClock,
  });
}

/** Requests the erasure of a tenant, as its owner does. */
export function requestErasure(harness: PipelineHarness, tenant: string): Promise<unknown> {
  const data = { confirm: tenant, reason: 'owner_request' } as const;
  return commandTenant(harness, tenant, { type: 'RequestErasure', data });
}

/** Waits for the end of an erasure. @returns what it destroyed. */
export function erasedTenant(harness: PipelineHarness, tenant: string): Promise<Destroyed> {
  return harness.until(async () => {
    const { state } = await foldStream(harness.store, tenantDecider, `tenant-${tenant}`);
    return state.status === 'erased' ? state.destroyed : null;
  }, 'the erasure');
}

type Destroyed = Extract<TenantState, { status: 'erased' }>['destroyed'];
