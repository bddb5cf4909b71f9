import { randomUUID } from 'node:crypto';

import { SYSTEM_TENANT, type StreamName } from '#contracts';
import { logDecider } from '#domain/log/log.decider';
import { handleCommand, readLogId, type EventStore } from '#event-store';
import { uuidv7, type Clock, type LogId } from '#platform';

/** The stream of the event that a new log begins with. */
export const LOG_STREAM: StreamName = 'log-identity';

const WITHIN_MS = 10_000;

/**
 * Begins an empty log. Of several processes that do so at once one writes the event, and all get the same identity.
 * @throws FootnoteError `engine_unavailable`.
 */
export async function createLog(store: EventStore, clock: Clock): Promise<LogId> {
  const commandId = uuidv7();
  await handleCommand({
    store,
    decider: logDecider,
    stream: LOG_STREAM,
    expected: 'any',
    decide: (state) => logDecider.decide({ type: 'CreateLog', data: { log_id: randomUUID() } }, state),
    context: {
      commandId,
      metadata: {
        tenant_id: SYSTEM_TENANT,
        actor: { type: 'system', id: 'engines' },
        correlation_id: commandId,
        causation_id: commandId,
        occurred_at: clock.now().toISOString(),
      },
      deadline: clock.monotonic() + WITHIN_MS,
    },
    clock,
  });
  const id = await readLogId(store);
  if (id === null) throw new Error('The log took its first event and does not tell it');
  return id;
}
