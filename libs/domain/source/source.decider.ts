import {
  TENANT_AUDIENCE,
  FootnoteError,
  type Audience,
  type Decider,
  type SourceDefinition,
  type SourceEvent,
} from '#contracts';

import { defineStream } from '../define-stream.js';
import { sameValue } from '../same-value.js';

export interface RegisteredSource {
  readonly status: 'registered';
  readonly source_id: string;
  readonly name: string;
  readonly definition: SourceDefinition;
  readonly audience: Audience;
  /** Sealed, or null without any. */
  readonly credentials: string | null;
  /** The job of the last accepted sync, or null before the first. */
  readonly last_job_id: string | null;
}

/** A removed source keeps what its last job was, so that the job can still be ended. */
export interface RemovedSource {
  readonly status: 'removed';
  readonly source_id: string;
  readonly name: string;
  readonly definition: SourceDefinition;
  readonly audience: Audience;
  readonly credentials: string | null;
  readonly last_job_id: string | null;
}

export type SourceState = { readonly status: 'absent' } | RegisteredSource | RemovedSource;

export interface RegisterSource {
  readonly type: 'RegisterSource';
  readonly data: {
    readonly source_id: string;
    readonly name: string;
    readonly definition: SourceDefinition;
    /** Default: its tenant. */
    readonly audience?: Audience;
    /** Sealed. Default: none. */
    readonly credentials?: string;
  };
}

/** Absent fields stay as they are; `definition` is the whole definition after the change, null removes the credentials. */
export interface UpdateSource {
  readonly type: 'UpdateSource';
  readonly data: {
    readonly name?: string;
    readonly definition?: SourceDefinition;
    readonly credentials?: string | null;
  };
}

export interface RequestSync {
  readonly type: 'RequestSync';
  readonly data: {
    readonly job_id: string;
    /**
     * True while the source's last job has not ended. A job that the source names and whose own stream is still empty
     * counts as open: its first event is on the way.
     */
    readonly last_job_open: boolean;
  };
}

export interface RemoveSource {
  readonly type: 'RemoveSource';
  readonly data: Readonly<Record<string, never>>;
}

export type SourceCommand = RegisterSource | UpdateSource | RequestSync | RemoveSource;

/** Stream `source-<id>`: what is fetched, and which sync was accepted last. */
export const sourceDecider: Decider<SourceCommand, SourceState, SourceEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

export const sourceStreams = defineStream({
  pattern: 'source-<source_id>',
  decider: sourceDecider,
  commands: { RegisterSource: true, UpdateSource: true, RequestSync: true, RemoveSource: true },
  events: { SourceRegistered: true, SourceUpdated: true, SourceSyncRequested: true, SourceRemoved: true },
});

function decide(command: SourceCommand, state: SourceState): readonly SourceEvent[] {
  switch (command.type) {
    case 'RegisterSource':
      return state.status === 'absent' ? [{ type: 'SourceRegistered', data: command.data }] : [];
    case 'UpdateSource':
      return update(command, registered(state));
    case 'RequestSync':
      return requestSync(command, registered(state));
    case 'RemoveSource':
      return [{ type: 'SourceRemoved', data: { source_id: registered(state).source_id } }];
  }
}

function update({ data }: UpdateSource, state: RegisteredSource): readonly SourceEvent[] {
  const name = data.name !== undefined && data.name !== state.name ? { name: data.name } : {};
  const definition =
    data.definition !== undefined && !sameValue(data.definition, state.definition)
      ? { definition: data.definition }
      : {};
  const credentials =
    data.credentials !== undefined && data.credentials !== state.credentials ? { credentials: data.credentials } : {};
  const changes = { ...name, ...definition, ...credentials };
  if (Object.keys(changes).length === 0) return [];
  return [{ type: 'SourceUpdated', data: { source_id: state.source_id, ...changes } }];
}

function requestSync({ data }: RequestSync, state: RegisteredSource): readonly SourceEvent[] {
  if (data.job_id === state.last_job_id) return [];
  if (data.last_job_open) {
    throw new FootnoteError('sync_in_progress', `A sync of source ${state.source_id} is pending or running`);
  }
  return [{ type: 'SourceSyncRequested', data: { source_id: state.source_id, job_id: data.job_id } }];
}

function registered(state: SourceState): RegisteredSource {
  if (state.status === 'registered') return state;
  throw new FootnoteError('source_not_found', 'There is no such source');
}

function evolve(state: SourceState, event: SourceEvent): SourceState {
  if (event.type === 'SourceRegistered') {
    const { source_id, name, definition, audience = TENANT_AUDIENCE, credentials = null } = event.data;
    return { status: 'registered', source_id, name, definition, audience, credentials, last_job_id: null };
  }
  if (state.status === 'absent') return state;
  switch (event.type) {
    case 'SourceUpdated':
      return {
        ...state,
        name: event.data.name ?? state.name,
        definition: event.data.definition ?? state.definition,
        credentials: event.data.credentials === undefined ? state.credentials : event.data.credentials,
      };
    case 'SourceSyncRequested':
      return { ...state, last_job_id: event.data.job_id };
    case 'SourceRemoved':
      return { ...state, status: 'removed' };
    default:
      return state;
  }
}
