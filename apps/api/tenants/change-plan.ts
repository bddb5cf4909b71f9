import { isFootnoteError, type Actor } from '#contracts';
import { tenantDecider } from '#domain';
import { handleCommand, type EventStore } from '#event-store';
import { uuidv7, type Clock } from '#platform';

const OPERATOR: Actor = Object.freeze({ type: 'operator', id: 'tenant' });
const DEADLINE_MS = 10_000;

/** Gives a tenant another plan; running processes hold it to that within a second. @throws Error when there is no such tenant. */
export async function changePlan(store: EventStore, clock: Clock, tenantId: string, plan: string): Promise<void> {
  const commandId = uuidv7();
  try {
    await handleCommand({
      store,
      decider: tenantDecider,
      stream: `tenant-${tenantId}`,
      expected: 'any',
      decide: (state) => tenantDecider.decide({ type: 'ChangePlan', data: { plan } }, state),
      context: {
        commandId,
        metadata: {
          tenant_id: tenantId,
          actor: OPERATOR,
          correlation_id: commandId,
          causation_id: commandId,
          occurred_at: clock.now().toISOString(),
        },
        deadline: clock.monotonic() + DEADLINE_MS,
      },
    });
  } catch (error) {
    if (isFootnoteError(error, 'not_found')) throw new Error(`There is no tenant ${tenantId}`, { cause: error });
    throw error;
  }
}
