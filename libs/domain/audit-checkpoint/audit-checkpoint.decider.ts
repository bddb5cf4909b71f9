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

/** Payload of an event. */
type Data<Type extends AuditCheckpointEvent['type']> = Extract<
  AuditCheckpointEvent,
  { type: Type }
>['data'];

export interface SignCheckpoint {
  readonly type: 'SignCheckpoint';
  readonly data: Data<'CheckpointSigned'>;
  /** Names of the witnesses in use; one that refused a checkpoint prevents the next. */
  readonly witnesses: readonly string[];
}

export interface RecordCosignature {
  readonly type: 'RecordCosignature';
  readonly data: Data<'CheckpointCosigned'>;
}

export interface RecordRefusal {
  readonly type: 'RecordRefusal';
  readonly data: Data<'CheckpointRefused'>;
}

export interface RecordCopy {
  readonly type: 'RecordCopy';
  readonly data: Data<'CheckpointCopied'>;
}

export type AuditCheckpointCommand =
  UseAuditKey | SignCheckpoint | RecordCosignature | RecordRefusal | RecordCopy;

/** The last answers of a witness. */
export interface WitnessState {
  /** Size of the last tree that it cosigned; 0 if none. */
  readonly cosigned: number;
  /** True if its last answer was a refusal. */
  readonly refused: boolean;
}

export interface AuditCheckpointState {
  /** The key that signs; null before the first. */
  readonly key: AuditSigningKey | null;
  /** The newest checkpoint; null before the first. */
  readonly last: Data<'CheckpointSigned'> | null;
  /** By name. */
  readonly witnesses: Readonly<Record<string, WitnessState>>;
  /** Size of the last tree whose checkpoint was copied; 0 if none. */
  readonly copied: number;
}

/**
 * Stream `checkpoint-<tenant_id>`: the signed checkpoints of a tenant's tree. A tree only grows, so
 * no two checkpoints have the same size. Cosignatures and copies are recorded between their
 * checkpoint and the next.
 */
export const auditCheckpointDecider: Decider<
  AuditCheckpointCommand,
  AuditCheckpointState,
  AuditCheckpointEvent
> = { initial: { key: null, last: null, witnesses: {}, copied: 0 }, decide, evolve };

export const auditCheckpointStreams = defineStream({
  pattern: 'checkpoint-<tenant_id>',
  decider: auditCheckpointDecider,
  commands: {
    UseAuditKey: true,
    SignCheckpoint: true,
    RecordCosignature: true,
    RecordRefusal: true,
    RecordCopy: true,
  },
  events: {
    AuditKeyCreated: true,
    AuditKeyRotated: true,
    CheckpointSigned: true,
    CheckpointCosigned: true,
    CheckpointRefused: true,
    CheckpointCopied: true,
  },
});

function decide(
  command: AuditCheckpointCommand,
  state: AuditCheckpointState,
): readonly AuditCheckpointEvent[] {
  switch (command.type) {
    case 'UseAuditKey':
      if (state.key?.key_id === command.data.key_id) return [];
      return [{ type: state.key ? 'AuditKeyRotated' : 'AuditKeyCreated', data: command.data }];
    case 'SignCheckpoint':
      return sign(command, state);
    case 'RecordCosignature': {
      const { size, witness } = command.data;
      if (size !== state.last?.size || witnessAnswer(state, witness).cosigned === size) return [];
      return [{ type: 'CheckpointCosigned', data: command.data }];
    }
    case 'RecordRefusal': {
      const { size, witness } = command.data;
      if (size !== state.last?.size || witnessAnswer(state, witness).refused) return [];
      return [{ type: 'CheckpointRefused', data: command.data }];
    }
    case 'RecordCopy': {
      const { size } = command.data;
      if (size !== state.last?.size || state.copied === size) return [];
      return [{ type: 'CheckpointCopied', data: command.data }];
    }
  }
}

function sign(
  { data, witnesses }: SignCheckpoint,
  state: AuditCheckpointState,
): readonly AuditCheckpointEvent[] {
  const { key, last } = state;
  const { size, root, key_id } = data;
  if (key?.key_id !== key_id) {
    const message = `The audit key ${key_id} does not sign for this tenant; repeat the request`;
    throw new FootnoteError('concurrent_change', message);
  }
  if (last && size < last.size) throw altered(`has ${size} records after ${last.size}`);
  if (last && size === last.size) {
    if (root !== last.root) throw altered(`has another root at ${size} records`);
    return [];
  }
  const refusing = witnesses.find((name) => witnessAnswer(state, name).refused);
  if (refusing !== undefined)
    throw altered(`differs from what the witness ${JSON.stringify(refusing)} saw`);
  return [{ type: 'CheckpointSigned', data }];
}

const NO_ANSWER: WitnessState = { cosigned: 0, refused: false };

/** Returns the last answers of a witness. */
export function witnessAnswer({ witnesses }: AuditCheckpointState, name: string): WitnessState {
  return (Object.hasOwn(witnesses, name) ? witnesses[name] : undefined) ?? NO_ANSWER;
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
    case 'CheckpointCosigned':
      return answered(state, event.data.witness, { cosigned: event.data.size, refused: false });
    case 'CheckpointRefused': {
      const { cosigned } = witnessAnswer(state, event.data.witness);
      return answered(state, event.data.witness, { cosigned, refused: true });
    }
    case 'CheckpointCopied':
      return { ...state, copied: event.data.size };
    default:
      return state;
  }
}

function answered(
  state: AuditCheckpointState,
  name: string,
  answer: WitnessState,
): AuditCheckpointState {
  return { ...state, witnesses: { ...state.witnesses, [name]: answer } };
}
