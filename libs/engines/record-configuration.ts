import { SYSTEM_TENANT } from '#contracts';
import { configurationDecider } from '#domain';
import { commandContext, type EventStore, handleCommand } from '#event-store';
import type { Clock, Config } from '#platform';

/** The kinds of processes of the service; `service` is all of them in one. */
type ProcessName = 'service' | 'api' | 'projector' | 'pipeline';

interface RecordConfigurationDependencies {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>;
  readonly clock: Clock;
  readonly config: Pick<Config, 'settings'>;
}

/**
 * Records the settings of a process in the trail of the operator, if they differ from those of its
 * last start.
 * @throws FootnoteError `engine_unavailable`.
 */
export async function recordConfiguration(
  { eventStore: store, clock, config: { settings } }: RecordConfigurationDependencies,
  process: ProcessName,
): Promise<void> {
  const data = { process, settings };
  await handleCommand({
    store,
    decider: configurationDecider,
    stream: `configuration-${process}`,
    expected: 'any',
    decide: (state) => configurationDecider.decide({ type: 'RecordConfiguration', data }, state),
    context: commandContext(clock, {
      tenant_id: SYSTEM_TENANT,
      actor: { type: 'system', id: process },
    }),
    clock,
  });
}
