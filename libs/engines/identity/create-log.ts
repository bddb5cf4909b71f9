import { randomUUID } from 'node:crypto';

import { type StreamName, SYSTEM_TENANT } from '#contracts';
import { logDecider } from '#domain/log/log.decider';
import { commandContext, type EventStore, handleCommand, readLogId } from '#event-store';
import type { Clock, LogId } from '#platform';

/** The stream of the first event of a new log. */
const LOG_STREAM: StreamName = 'log-identity';

/**
 * Starts an empty log. Of several processes that do so at once, one writes the event, and all get
 * the same identity.
 * @throws FootnoteError `engine_unavailable`.
 */
export async function createLog(store: EventStore, clock: Clock): Promise<LogId> {
  await handleCommand({
    store,
    decider: logDecider,
    stream: LOG_STREAM,
    expected: 'any',
    decide: (state) =>
      logDecider.decide({ type: 'CreateLog', data: { log_id: randomUUID() } }, state),
    context: commandContext(clock, {
      tenant_id: SYSTEM_TENANT,
      actor: { type: 'system', id: 'engines' },
    }),
    clock,
  });
  const id = await readLogId(store);
  if (id === null) throw new Error('The log accepted its first event but does not return it');
  return id;
}
