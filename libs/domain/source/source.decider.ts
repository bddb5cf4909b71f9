import {
  type Audience,
  type Decider,
  definitionBytes,
  FootnoteError,
  keepScipUploads,
  MOST_SCIP_NAMES,
  type ScipUpload,
  type SourceDefinition,
  type SourceEvent,
  TENANT_AUDIENCE,
  usedScipUploads,
  validationFailed,
  withoutScipNames,
} from '#contracts';

import { defineStream } from '../define-stream.js';
import { sameValue } from '../same-value.js';

export interface RegisteredSource {
  readonly status: 'registered';
  readonly source_id: string;
  readonly name: string;
  readonly definition: SourceDefinition;
  /**
   * Revision of the newest event that set the definition or the credentials; undefined if no
   * revisions were passed.
   */
  readonly definition_revision: bigint | undefined;
  /**
   * Size of all definitions that the source ever had, in bytes of JSON: the cost of reading its
   * stream.
   */
  readonly definitions_bytes: number;
  readonly audience: Audience;
  /** Sealed, or null if there are none. */
  readonly credentials: string | null;
  /** The job of the last accepted sync, or null before the first. */
  readonly last_job_id: string | null;
  /** The job of the accepted sync before that one, or null. */
  readonly previous_job_id: string | null;
  /** Seconds between scheduled syncs; 0: none. */
  readonly sync_interval_seconds: number;
  /** True if one more sync follows the end of the last job. */
  readonly sync_queued: boolean;
  /** The secret that signs pushes; null if no pushes are accepted. */
  readonly hook: PushHook | null;
  /** Kept uploads of SCIP indexes, the newest first. */
  readonly scip: readonly ScipUpload[];
}

/** The secret is sealed with the tenant's data key. */
export interface PushHook {
  readonly hook_id: string;
  readonly secret: string;
}

/** A removed source keeps its last job, so that the job can still end. */
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
    /** Default: no scheduled syncs. */
    readonly sync_interval_seconds?: number;
  };
}

/**
 * Changes a source. Absent fields are unchanged; `definition` is the whole new definition; null
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
     * True while the source's last job has not ended. A job that the source names but whose stream
     * is still empty counts as open: its first event is about to be appended.
     */
    readonly last_job_open: boolean;
  };
}

/**
 * Queues one more sync after the pending or running one. Each push is recorded, so that a repeated
 * push is recognized.
 */
export interface QueueSync {
  readonly type: 'QueueSync';
  readonly data: Readonly<Record<string, never>>;
}

/**
 * Starts the sync that follows the end of `after_job_id`, because it is scheduled or queued. It has
 * no effect if the source changed since.
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

export interface UploadScip {
  readonly type: 'UploadScip';
  readonly data: ScipUpload;
}

/** Removes SCIP indexes; without a name, all of them. */
export interface RemoveScip {
  readonly type: 'RemoveScip';
  readonly data: { readonly name?: string };
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
  | UploadScip
  | RemoveScip
  | RemoveSource;

/**
 * Size of all definitions of one source together, bytes: 256 of the largest, about 30,000 of the
 * usual.
 */
const MAX_DEFINITIONS_BYTES = 16 * 1024 * 1024;

/** Stream `source-<id>`: its definition, and the last accepted sync. */
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
    UploadScip: true,
    RemoveScip: true,
    RemoveSource: true,
  },
  events: {
    SourceRegistered: true,
    SourceUpdated: true,
    SourceSyncRequested: true,
    SourceSyncQueued: true,
    SourceHookSet: true,
    SourceHookRemoved: true,
    SourceScipUploaded: true,
    SourceScipRemoved: true,
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
    case 'UploadScip':
      return uploadScip(command, registered(state));
    case 'RemoveScip':
      return removeScip(command, registered(state));
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
 * Rejects a definition that would make the stream too long. Each command reads the whole stream of
 * the source, so it must stay short however often the source changes.
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
 * Starts a due sync. The caller may have seen an earlier state: a later sync, a disabled interval
 * and a removal take precedence.
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

/** Has no effect if the newest upload of the name is the same. */
function uploadScip({ data }: UploadScip, state: RegisteredSource): readonly SourceEvent[] {
  const used = usedScipUploads(state.scip);
  const newest = used.find(({ name }) => name === data.name);
  if (newest && sameValue(newest, data)) return [];
  if (!newest && used.length >= MOST_SCIP_NAMES) {
    const message = `must be one of the ${MOST_SCIP_NAMES} names that the source has`;
    throw validationFailed([{ field: 'name', message }]);
  }
  return [{ type: 'SourceScipUploaded', data: { source_id: state.source_id, scip: data } }];
}

/** Has no effect if the source has no such index. */
function removeScip({ data }: RemoveScip, state: RegisteredSource): readonly SourceEvent[] {
  const names = usedScipUploads(state.scip)
    .map(({ name }) => name)
    .filter((name) => data.name === undefined || name === data.name);
  if (names.length === 0) return [];
  return [{ type: 'SourceScipRemoved', data: { source_id: state.source_id, names } }];
}

function registered(state: SourceState): RegisteredSource {
  if (state.status === 'registered') return state;
  throw new FootnoteError('source_not_found', 'Source not found');
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
    const idle = {
      last_job_id: null,
      previous_job_id: null,
      sync_queued: false,
      hook: null,
      scip: [],
    };
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
      return {
        ...state,
        previous_job_id: state.last_job_id,
        last_job_id: event.data.job_id,
        sync_queued: false,
      };
    case 'SourceSyncQueued':
      return { ...state, sync_queued: true };
    case 'SourceHookSet':
      return { ...state, hook: { hook_id: event.data.hook_id, secret: event.data.secret } };
    case 'SourceHookRemoved':
      return { ...state, hook: null };
    case 'SourceScipUploaded':
      return { ...state, scip: keepScipUploads(state.scip, event.data.scip) };
    case 'SourceScipRemoved':
      return { ...state, scip: withoutScipNames(state.scip, event.data.names) };
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
