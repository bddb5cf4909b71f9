import type { AuditCheckpointCommand, AuditCheckpointState } from '#domain';

/** The newest checkpoint of a tenant. */
export type NewestCheckpoint = NonNullable<AuditCheckpointState['last']>;

/** A place outside of the service that gets the checkpoints of all tenants. */
export interface CheckpointKeeper {
  /** Name in log lines. */
  readonly name: string;
  /** Reports whether the place already answered about the newest checkpoint of this state. */
  isDone(state: AuditCheckpointState): boolean;
  /**
   * Hands over the newest checkpoint. Safe to repeat.
   * @returns the record of the answer.
   * @throws Error if the place is unavailable, so that the caller must retry later.
   */
  keep(checkpoint: NewestCheckpoint, state: AuditCheckpointState): Promise<AuditCheckpointCommand>;
}
