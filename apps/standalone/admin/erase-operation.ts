import { requestErasure } from '#apps/api/tenants/request-erasure';
import { type Destroyed, tenantDecider } from '#domain';
import { type EventStore, foldStream } from '#event-store';
import { type Clock, sleep, uuidv7 } from '#platform';

import type { OperatorRun } from './operator/recorded-run.js';

/** The state of an erasure when the command ends. */
export interface ErasureReport {
  readonly tenant_id: string;
  /** `erasing` continues in the service, or begins with its next start if none runs. */
  readonly state: 'erased' | 'erasing';
  readonly is_running: boolean;
  readonly destroyed: Destroyed | null;
}

export interface EraseOperationDependencies {
  readonly eventStore: EventStore;
  readonly clock: Clock;
  /** True if a running pipeline carries it out. */
  readonly isRunning: boolean;
}

/** Maximum wait of the command. Data that others may be about to name stays for about a minute. */
const WAIT_MS = 10_000;
const POLL_MS = 200;

/**
 * Requests a tenant's erasure for the operator, by the same use case as for its owner.
 * @throws FootnoteError with a sentence if the tenant does not exist, or `confirm` is neither its
 * name nor its id.
 */
export async function eraseByOperator(
  { eventStore, clock, isRunning }: EraseOperationDependencies,
  tenantId: string,
  confirm: string,
  run: OperatorRun,
): Promise<ErasureReport> {
  const commandId = uuidv7();
  await requestErasure(eventStore, clock, {
    tenantId,
    confirm,
    reason: 'operator_request',
    commandId,
    metadata: run,
  });
  const until = clock.monotonic() + (isRunning ? WAIT_MS : 0);
  for (;;) {
    const { state } = await foldStream(eventStore, tenantDecider, `tenant-${tenantId}`);
    if (state.status === 'erased') {
      return {
        tenant_id: tenantId,
        state: 'erased',
        is_running: isRunning,
        destroyed: state.destroyed,
      };
    }
    if (clock.monotonic() >= until) {
      return { tenant_id: tenantId, state: 'erasing', is_running: isRunning, destroyed: null };
    }
    await sleep(POLL_MS);
  }
}
