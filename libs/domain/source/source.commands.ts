import type { Audience, SourceDefinition } from '#contracts';

export interface RegisterSource {
  readonly type: 'RegisterSource';
  readonly data: {
    readonly source_id: string;
    readonly name: string;
    readonly definition: SourceDefinition;
    /** Default: its tenant. */
    readonly audience?: Audience;
  };
}

/** Absent fields stay as they are; `definition` is the whole definition after the change. */
export interface UpdateSource {
  readonly type: 'UpdateSource';
  readonly data: { readonly name?: string; readonly definition?: SourceDefinition };
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
