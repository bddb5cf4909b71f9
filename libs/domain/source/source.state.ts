import type { Audience, SourceDefinition } from '#contracts';

export interface RegisteredSource {
  readonly status: 'registered';
  readonly source_id: string;
  readonly name: string;
  readonly definition: SourceDefinition;
  readonly audience: Audience;
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
  readonly last_job_id: string | null;
}

export type SourceState = { readonly status: 'absent' } | RegisteredSource | RemovedSource;
