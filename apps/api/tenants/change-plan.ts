import { type Actor, isFootnoteError } from '#contracts';
import { tenantDecider } from '#domain';
import { commandContext, type EventStore, handleCommand } from '#event-store';
import type { Clock } from '#platform';

const OPERATOR: Actor = Object.freeze({ type: 'operator', id: 'tenant' });

/**
 * Gives a tenant another plan; running processes hold it to that within a second. @throws Error
 * when there is no such tenant.
 */
export async function changePlan(
  store: EventStore,
  clock: Clock,
  tenantId: string,
  plan: string,
): Promise<void> {
  try {
    await handleCommand({
      store,
      decider: tenantDecider,
      stream: `tenant-${tenantId}`,
      expected: 'any',
      decide: (state) => tenantDecider.decide({ type: 'ChangePlan', data: { plan } }, state),
      context: commandContext(clock, { tenant_id: tenantId, actor: OPERATOR }),
    });
  } catch (error) {
    if (isFootnoteError(error, 'not_found'))
      throw new Error(`There is no tenant ${tenantId}`, { cause: error });
    throw error;
  }
}
