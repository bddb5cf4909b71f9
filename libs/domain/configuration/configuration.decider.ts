import type { ConfigurationEvent, Decider } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface RecordConfiguration {
  readonly type: 'RecordConfiguration';
  readonly data: ConfigurationEvent['data'];
}

/** Settings of the last start; null before the first one. */
export type ConfigurationState = ConfigurationEvent['data']['settings'] | null;

/** Stream `configuration-<process>`: the settings of a process whenever they differ. */
export const configurationDecider: Decider<
  RecordConfiguration,
  ConfigurationState,
  ConfigurationEvent
> = {
  initial: null,
  decide: ({ data }, state) =>
    state !== null && isSame(state, data.settings) ? [] : [{ type: 'ServiceConfigured', data }],
  evolve: (_, { data }) => data.settings,
};

export const configurationStreams = defineStream({
  pattern: 'configuration-<process>',
  decider: configurationDecider,
  commands: { RecordConfiguration: true },
  events: { ServiceConfigured: true },
});

function isSame(
  before: NonNullable<ConfigurationState>,
  after: NonNullable<ConfigurationState>,
): boolean {
  const names = Object.keys(after);
  return (
    names.length === Object.keys(before).length &&
    names.every((name) => Object.hasOwn(before, name) && before[name] === after[name])
  );
}
