import { type Decider, POLICY_DEFAULTS, type PolicyEvent, type PolicySettings } from '#contracts';

import { defineStream } from '../define-stream.js';
import { sameValue } from '../same-value.js';

/** Any subset of the settings; absent ones stay as they are. */
export type PolicyChanges = Extract<PolicyEvent, { type: 'PolicyUpdated' }>['data']['changes'];

export interface UpdatePolicy {
  readonly type: 'UpdatePolicy';
  readonly data: { readonly changes: PolicyChanges };
}

export interface ResetPolicy {
  readonly type: 'ResetPolicy';
  readonly data: Readonly<Record<string, never>>;
}

/** Sets every setting to its value after an earlier revision of the stream. */
export interface RestorePolicy {
  readonly type: 'RestorePolicy';
  readonly data: { readonly settings: PolicySettings; readonly revision: number };
}

export type PolicyCommand = UpdatePolicy | ResetPolicy | RestorePolicy;

/** `default`: every setting is at its default. */
export interface PolicyState {
  readonly status: 'default' | 'changed';
  readonly settings: PolicySettings;
}

/** Stream `policy-<tenant>`: only differences are recorded. */
export const policyDecider: Decider<PolicyCommand, PolicyState, PolicyEvent> = {
  initial: { status: 'default', settings: POLICY_DEFAULTS },
  decide,
  evolve,
};

export const policyStreams = defineStream({
  pattern: 'policy-<tenant_id>',
  decider: policyDecider,
  commands: { UpdatePolicy: true, ResetPolicy: true, RestorePolicy: true },
  events: { PolicyUpdated: true, PolicyReset: true },
});

function decide(command: PolicyCommand, state: PolicyState): readonly PolicyEvent[] {
  switch (command.type) {
    case 'UpdatePolicy': {
      const changes = differences(command.data.changes, state.settings);
      return Object.keys(changes).length === 0
        ? []
        : [{ type: 'PolicyUpdated', data: { changes } }];
    }
    case 'ResetPolicy':
      return state.status === 'default' ? [] : [{ type: 'PolicyReset', data: {} }];
    case 'RestorePolicy': {
      const { settings, revision } = command.data;
      const changes = differences(settings, state.settings);
      return Object.keys(changes).length === 0
        ? []
        : [{ type: 'PolicyUpdated', data: { changes, restored_revision: revision } }];
    }
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

/**
 * Returns the settings after a change or a reset. Absent settings and weights are unchanged; JSON
 * has no undefined that could unset one.
 */
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

/** Returns the fields of `wanted` that are present and differ from `current`. */
function changed<T extends object>(wanted: T, current: { readonly [K in keyof T]?: unknown }): T {
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([field, value]) => value !== undefined && value !== current[field as keyof T],
    ),
  ) as T;
}
