import { type AuditCheckpointEvent, type Decider, FootnoteError } from '#contracts';

import { defineStream } from '../define-stream.js';

/** A signing key: its public part, and its sealed private part. */
export interface AuditSigningKey {
  readonly tenant_id: string;
  readonly origin: string;
  readonly key_id: string;
  readonly key: string;
  readonly seed: string;
}

/** Makes a key the one that signs; the first one creates the stream. */
export interface UseAuditKey {
  readonly type: 'UseAuditKey';
  readonly data: AuditSigningKey;
}

export interface SignCheckpoint {
  readonly type: 'SignCheckpoint';
  readonly data: {
    readonly tenant_id: string;
    readonly size: number;
    readonly root: string;
    readonly key_id: string;
    readonly checkpoint: string;
  };
}

export type AuditCheckpointCommand = UseAuditKey | SignCheckpoint;

export interface AuditCheckpointState {
  /** The key that signs; null before the first. */
  readonly key: AuditSigningKey | null;
  /** The newest checkpoint; null before the first. */
  readonly last: SignCheckpoint['data'] | null;
}

/**
 * Stream `checkpoint-<tenant_id>`: the signed checkpoints of a tenant's tree. A tree only grows, so
 * no two checkpoints have the same size.
 */
export const auditCheckpointDecider: Decider<
  AuditCheckpointCommand,
  AuditCheckpointState,
  AuditCheckpointEvent
> = { initial: { key: null, last: null }, decide, evolve };

export const auditCheckpointStreams = defineStream({
  pattern: 'checkpoint-<tenant_id>',
  decider: auditCheckpointDecider,
  commands: { UseAuditKey: true, SignCheckpoint: true },
  events: { AuditKeyCreated: true, AuditKeyRotated: true, CheckpointSigned: true },
});

function decide(
  command: AuditCheckpointCommand,
  { key, last }: AuditCheckpointState,
): readonly AuditCheckpointEvent[] {
  switch (command.type) {
    case 'UseAuditKey':
      if (key?.key_id === command.data.key_id) return [];
      return [{ type: key ? 'AuditKeyRotated' : 'AuditKeyCreated', data: command.data }];
    case 'SignCheckpoint': {
      const { size, root, key_id } = command.data;
      if (key?.key_id !== key_id) {
        const message = `The audit key ${key_id} does not sign for this tenant; repeat the request`;
        throw new FootnoteError('concurrent_change', message);
      }
      if (last && size < last.size) throw altered(`has ${size} records after ${last.size}`);
      if (last && size === last.size) {
        if (root !== last.root) throw altered(`has another root at ${size} records`);
        return [];
      }
      return [{ type: 'CheckpointSigned', data: command.data }];
    }
  }
}

function altered(how: string): FootnoteError {
  return new FootnoteError(
    'audit_trail_altered',
    `The audit trail ${how}; compare log and backups before you sign again`,
  );
}

function evolve(state: AuditCheckpointState, event: AuditCheckpointEvent): AuditCheckpointState {
  switch (event.type) {
    case 'AuditKeyCreated':
    case 'AuditKeyRotated':
      return { ...state, key: event.data };
    case 'CheckpointSigned':
      return { ...state, last: event.data };
    default:
      return state;
  }
}
