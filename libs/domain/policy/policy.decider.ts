import type { Decider, PolicyEvent, PolicySettings } from '#contracts';

import { sameValue } from '../same-value.js';
import type { PolicyChanges, PolicyCommand } from './policy.commands.js';
import { POLICY_DEFAULTS, type PolicyState } from './policy.state.js';

/** Stream `policy-<tenant>`: only differences are recorded. */
export const policyDecider: Decider<PolicyCommand, PolicyState, PolicyEvent> = {
  initial: { status: 'default', settings: POLICY_DEFAULTS },
  decide,
  evolve,
};

function decide(command: PolicyCommand, state: PolicyState): readonly PolicyEvent[] {
  switch (command.type) {
    case 'UpdatePolicy': {
      const changes = differences(command.data.changes, state.settings);
      return Object.keys(changes).length === 0 ? [] : [{ type: 'PolicyUpdated', data: { changes } }];
    }
    case 'ResetPolicy':
      return state.status === 'default' ? [] : [{ type: 'PolicyReset', data: {} }];
  }
}

function evolve(state: PolicyState, event: PolicyEvent): PolicyState {
  switch (event.type) {
    case 'PolicyUpdated': {
      const settings = settingsAfter(state.settings, event);
      return { status: sameValue(settings, POLICY_DEFAULTS) ? 'default' : 'changed', settings };
    }
    case 'PolicyReset':
      return { status: 'default', settings: settingsAfter(state.settings, event) };
    default:
      return state;
  }
}

/** The settings after a change or a reset. Absent settings and weights are unchanged; JSON has no undefined that unsets one. */
export function settingsAfter(settings: PolicySettings, event: PolicyEvent): PolicySettings {
  if (event.type === 'PolicyReset') return POLICY_DEFAULTS;
  const { source_priorities, ...plain } = event.data.changes;
  return {
    ...settings,
    ...plain,
    source_priorities: { ...settings.source_priorities, ...source_priorities },
  } as PolicySettings;
}

function differences(changes: PolicyChanges, settings: PolicySettings): PolicyChanges {
  const { source_priorities, ...plain } = changes;
  const priorities = changed(source_priorities ?? {}, settings.source_priorities);
  return {
    ...changed(plain, settings),
    ...(Object.keys(priorities).length === 0 ? {} : { source_priorities: priorities }),
  };
}

/** The fields of `wanted` that are given and differ from `current`. */
function changed<T extends object>(wanted: T, current: { readonly [K in keyof T]?: unknown }): T {
  return Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => value !== undefined && value !== current[field as keyof T]),
  ) as T;
}
