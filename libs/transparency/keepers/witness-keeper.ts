import {
  formatAddCheckpoint,
  type NoteKey,
  parseCheckpoint,
  parseNoteSignature,
  verifyNote,
} from '#audit';
import { type AuditCheckpointCommand, type AuditCheckpointState, witnessAnswer } from '#domain';

import type { AuditTrees } from '../audit-trees.js';
import type { CheckpointKeeper, NewestCheckpoint } from './checkpoint-keeper.port.js';

/** Sends a request to a witness. */
export interface WitnessConnection {
  /**
   * Posts to a path below the address of the witness.
   * @throws Error without an answer in time.
   */
  post(path: string, body: string): Promise<{ readonly status: number; readonly body: string }>;
}

export interface WitnessKeeperDependencies {
  readonly key: NoteKey;
  readonly connection: WitnessConnection;
  readonly trees: Pick<AuditTrees, 'at'>;
}

/** Requests for one checkpoint: the first, one after its size, one for the same size. */
const ATTEMPTS = 3;
const SIZE = /^(?<size>0|[1-9][0-9]{0,15})\n$/;

/** A witness that cosigns checkpoints (C2SP `tlog-witness`). */
export class WitnessKeeper implements CheckpointKeeper {
  constructor(private readonly dependencies: WitnessKeeperDependencies) {}

  get name(): string {
    return this.dependencies.key.name;
  }

  isDone(state: AuditCheckpointState): boolean {
    const { last } = state;
    const { cosigned, refused } = witnessAnswer(state, this.name);
    // A witness that refused is asked again: an operator may have restored the right log.
    return last === null || (cosigned === last.size && !refused);
  }

  async keep(
    checkpoint: NewestCheckpoint,
    state: AuditCheckpointState,
  ): Promise<AuditCheckpointCommand> {
    const { size } = checkpoint;
    let oldSize = Math.min(witnessAnswer(state, this.name).cosigned, size);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { status, body } = await this.request(checkpoint, oldSize);
      if (status === 200) return this.cosigned(checkpoint, body);
      if (status === 422) return this.refusal(checkpoint, 'other_history');
      if (status !== 409) throw new Error(`The witness ${this.name} answered ${status}`);
      const witnessed = Number(SIZE.exec(body)?.groups?.['size'] ?? NaN);
      if (!Number.isSafeInteger(witnessed))
        throw new Error(`The witness ${this.name} answered 409 without a size`);
      if (witnessed > size) return this.refusal(checkpoint, 'larger_tree');
      // It has this size, and the root is another one.
      if (witnessed === oldSize) return this.refusal(checkpoint, 'other_history');
      oldSize = witnessed;
    }
    throw new Error(`The witness ${this.name} changed its size during ${ATTEMPTS} requests`);
  }

  private async request({ tenant_id, size, checkpoint }: NewestCheckpoint, oldSize: number) {
    const { trees, connection } = this.dependencies;
    const proof = await trees.at(tenant_id, size).consistencyProof(oldSize);
    return connection.post('/add-checkpoint', formatAddCheckpoint({ oldSize, proof, checkpoint }));
  }

  /** @throws Error unless one line is the witness's cosignature of this checkpoint. */
  private cosigned(
    { tenant_id, size, checkpoint }: NewestCheckpoint,
    body: string,
  ): AuditCheckpointCommand {
    const { key } = this.dependencies;
    const text = parseCheckpoint(checkpoint)?.note.text ?? '';
    for (const line of body.split('\n')) {
      const signature = parseNoteSignature(line);
      if (!signature || !verifyNote({ text, signatures: [signature] }, [key])) continue;
      const data = { tenant_id, size, witness: this.name, cosignature: line };
      return { type: 'RecordCosignature', data };
    }
    throw new Error(`The witness ${this.name} answered without a valid cosignature`);
  }

  private refusal(
    { tenant_id, size }: NewestCheckpoint,
    reason: 'other_history' | 'larger_tree',
  ): AuditCheckpointCommand {
    return { type: 'RecordRefusal', data: { tenant_id, size, witness: this.name, reason } };
  }
}
