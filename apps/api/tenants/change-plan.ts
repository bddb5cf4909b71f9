import { isFootnoteError } from '#contracts';
import { tenantDecider } from '#domain';
import { commandContext, type EventStore, handleCommand } from '#event-store';
import type { Clock } from '#platform';

import type { OperatorOrigin } from './create-tenant.js';

/**
 * Gives a tenant another plan; running processes hold it to that within a second. @throws Error
 * when there is no such tenant.
 */
export async function changePlan(
  store: EventStore,
  clock: Clock,
  tenantId: string,
  plan: string,
  by: OperatorOrigin,
): Promise<void> {
  try {
    await handleCommand({
      store,
      decider: tenantDecider,
      stream: `tenant-${tenantId}`,
      expected: 'any',
      decide: (state) => tenantDecider.decide({ type: 'ChangePlan', data: { plan } }, state),
      context: commandContext(clock, { ...by, tenant_id: tenantId }),
    });
  } catch (error) {
    if (isFootnoteError(error, 'not_found'))
      throw new Error(`There is no tenant ${tenantId}`, { cause: error });
    throw error;
  }
}
