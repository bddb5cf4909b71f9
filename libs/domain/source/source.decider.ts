import {
  type Audience,
  type Decider,
  definitionBytes,
  FootnoteError,
  type SourceDefinition,
  type SourceEvent,
  TENANT_AUDIENCE,
} from '#contracts';

import { defineStream } from '../define-stream.js';
import { sameValue } from '../same-value.js';

export interface RegisteredSource {
  readonly status: 'registered';
  readonly source_id: string;
  readonly name: string;
  readonly definition: SourceDefinition;
  /**
   * Revision of the newest event that set the definition or the credentials; undefined where nobody
   * passed revisions.
   */
  readonly definition_revision: bigint | undefined;
  /** All definitions that the source ever had, bytes of JSON: what reading its stream costs. */
  readonly definitions_bytes: number;
  readonly audience: Audience;
  /** Sealed, or null without any. */
  readonly credentials: string | null;
  /** The job of the last accepted sync, or null before the first. */
  readonly last_job_id: string | null;
  /** Seconds between syncs that start by themselves; 0: none do. */
  readonly sync_interval_seconds: number;
  /** One more sync follows the last job's end. */
  readonly sync_queued: boolean;
  /** What pushes have to be signed with; null where none are taken. */
  readonly hook: PushHook | null;
}

/** The secret is sealed with the tenant's data key. */
export interface PushHook {
  readonly hook_id: string;
  readonly secret: string;
}

/** A removed source keeps what its last job was, so that the job can still be ended. */
export interface RemovedSource extends Omit<RegisteredSource, 'status'> {
  readonly status: 'removed';
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
    /** Default: no syncs by themselves. */
    readonly sync_interval_seconds?: number;
  };
}

/**
 * Absent fields stay as they are; `definition` is the whole definition after the change, null
 * removes the credentials.
 */
export interface UpdateSource {
  readonly type: 'UpdateSource';
  readonly data: {
    readonly name?: string;
    readonly definition?: SourceDefinition;
    readonly credentials?: string | null;
    readonly sync_interval_seconds?: number;
  };
}

export interface RequestSync {
  readonly type: 'RequestSync';
  readonly data: {
    readonly job_id: string;
    /**
     * True while the source's last job has not ended. A job that the source names and whose own
     * stream is still empty counts as open: its first event is on the way.
     */
    readonly last_job_open: boolean;
  };
}

/**
 * Has one more sync follow the one that is pending or running. Each push is recorded, so that its
 * repetition is known.
 */
export interface QueueSync {
  readonly type: 'QueueSync';
  readonly data: Readonly<Record<string, never>>;
}

/**
 * Starts the sync that follows the end of `after_job_id`, by interval or because one was queued,
 * unless that has changed.
 */
export interface StartDueSync {
  readonly type: 'StartDueSync';
  readonly data: { readonly job_id: string; readonly after_job_id: string | null };
}

export interface SetHook {
  readonly type: 'SetHook';
  readonly data: PushHook;
}

export interface RemoveHook {
  readonly type: 'RemoveHook';
  readonly data: Readonly<Record<string, never>>;
}

export interface RemoveSource {
  readonly type: 'RemoveSource';
  readonly data: Readonly<Record<string, never>>;
}

export type SourceCommand =
  | RegisterSource
  | UpdateSource
  | RequestSync
  | QueueSync
  | StartDueSync
  | SetHook
  | RemoveHook
  | RemoveSource;

/** All definitions of one source together, bytes: 256 of the largest, some 30,000 of the usual. */
const MAX_DEFINITIONS_BYTES = 16 * 1024 * 1024;

/** Stream `source-<id>`: what is fetched, and which sync was accepted last. */
export const sourceDecider: Decider<SourceCommand, SourceState, SourceEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

export const sourceStreams = defineStream({
  pattern: 'source-<source_id>',
  decider: sourceDecider,
  commands: {
    RegisterSource: true,
    UpdateSource: true,
    RequestSync: true,
    QueueSync: true,
    StartDueSync: true,
    SetHook: true,
    RemoveHook: true,
    RemoveSource: true,
  },
  events: {
    SourceRegistered: true,
    SourceUpdated: true,
    SourceSyncRequested: true,
    SourceSyncQueued: true,
    SourceHookSet: true,
    SourceHookRemoved: true,
    SourceRemoved: true,
  },
});

function decide(command: SourceCommand, state: SourceState): readonly SourceEvent[] {
  switch (command.type) {
    case 'RegisterSource':
      return state.status === 'absent' ? [{ type: 'SourceRegistered', data: command.data }] : [];
    case 'UpdateSource':
      return update(command, registered(state));
    case 'RequestSync':
      return requestSync(command, registered(state));
    case 'QueueSync':
      return queueSync(registered(state));
    case 'StartDueSync':
      return startDueSync(command, state);
    case 'SetHook':
      return [
        {
          type: 'SourceHookSet',
          data: { source_id: registered(state).source_id, ...command.data },
        },
      ];
    case 'RemoveHook':
      return removeHook(registered(state));
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
  if (definition.definition) requireRoom(state, definition.definition);
  const credentials =
    data.credentials !== undefined && data.credentials !== state.credentials
      ? { credentials: data.credentials }
      : {};
  const { sync_interval_seconds = state.sync_interval_seconds } = data;
  const interval =
    sync_interval_seconds === state.sync_interval_seconds ? {} : { sync_interval_seconds };
  const changes = { ...name, ...definition, ...credentials, ...interval };
  if (Object.keys(changes).length === 0) return [];
  return [{ type: 'SourceUpdated', data: { source_id: state.source_id, ...changes } }];
}

/**
 * Each command reads the source's stream, so that the stream has to stay short whoever changes the
 * source how often.
 */
function requireRoom(
  { source_id, definitions_bytes }: RegisteredSource,
  next: SourceDefinition,
): void {
  if (definitions_bytes + definitionBytes(next) <= MAX_DEFINITIONS_BYTES) return;
  throw new FootnoteError(
    'source_history_full',
    `Source ${source_id} has had ${definitions_bytes} bytes of definitions (limit ${MAX_DEFINITIONS_BYTES}); register it as a new source`,
  );
}

function requestSync({ data }: RequestSync, state: RegisteredSource): readonly SourceEvent[] {
  if (data.job_id === state.last_job_id) return [];
  if (data.last_job_open) {
    throw new FootnoteError(
      'sync_in_progress',
      `A sync of source ${state.source_id} is pending or running`,
    );
  }
  return [
    { type: 'SourceSyncRequested', data: { source_id: state.source_id, job_id: data.job_id } },
  ];
}

function queueSync(state: RegisteredSource): readonly SourceEvent[] {
  if (state.last_job_id === null)
    throw new Error(`Source ${state.source_id} has no sync that another could follow`);
  return [
    {
      type: 'SourceSyncQueued',
      data: { source_id: state.source_id, after_job_id: state.last_job_id },
    },
  ];
}

/**
 * Whoever found the sync due looked at an earlier moment: a sync since, an interval switched off or
 * a removal come first.
 */
function startDueSync({ data }: StartDueSync, state: SourceState): readonly SourceEvent[] {
  if (state.status !== 'registered' || state.last_job_id !== data.after_job_id) return [];
  if (!state.sync_queued && state.sync_interval_seconds === 0) return [];
  return [
    { type: 'SourceSyncRequested', data: { source_id: state.source_id, job_id: data.job_id } },
  ];
}

function removeHook(state: RegisteredSource): readonly SourceEvent[] {
  return state.hook === null
    ? []
    : [{ type: 'SourceHookRemoved', data: { source_id: state.source_id } }];
}

function registered(state: SourceState): RegisteredSource {
  if (state.status === 'registered') return state;
  throw new FootnoteError('source_not_found', 'There is no such source');
}

function evolve(state: SourceState, event: SourceEvent, revision?: bigint): SourceState {
  if (event.type === 'SourceRegistered') {
    const {
      source_id,
      name,
      definition,
      audience = TENANT_AUDIENCE,
      credentials = null,
    } = event.data;
    const { sync_interval_seconds = 0 } = event.data;
    const idle = { last_job_id: null, sync_queued: false, hook: null };
    const definitions_bytes = definitionBytes(definition);
    const defined = { definition, definition_revision: revision, definitions_bytes, credentials };
    return {
      status: 'registered',
      source_id,
      name,
      audience,
      sync_interval_seconds,
      ...defined,
      ...idle,
    };
  }
  if (state.status === 'absent') return state;
  switch (event.type) {
    case 'SourceUpdated':
      return {
        ...state,
        name: event.data.name ?? state.name,
        definition: event.data.definition ?? state.definition,
        definition_revision: setsDefinition(event) ? revision : state.definition_revision,
        definitions_bytes:
          state.definitions_bytes +
          (event.data.definition ? definitionBytes(event.data.definition) : 0),
        credentials:
          event.data.credentials === undefined ? state.credentials : event.data.credentials,
        sync_interval_seconds: event.data.sync_interval_seconds ?? state.sync_interval_seconds,
      };
    case 'SourceSyncRequested':
      return { ...state, last_job_id: event.data.job_id, sync_queued: false };
    case 'SourceSyncQueued':
      return { ...state, sync_queued: true };
    case 'SourceHookSet':
      return { ...state, hook: { hook_id: event.data.hook_id, secret: event.data.secret } };
    case 'SourceHookRemoved':
      return { ...state, hook: null };
    case 'SourceRemoved':
      return { ...state, status: 'removed' };
    default:
      return state;
  }
}

/** Reports whether an update changes the definition or the credentials of a sync. */
function setsDefinition({ data }: Extract<SourceEvent, { type: 'SourceUpdated' }>): boolean {
  return data.definition !== undefined || data.credentials !== undefined;
}
