import { parseCheckpoint } from '#audit';
import type { AuditCheckpointCommand, AuditCheckpointState } from '#domain';
import type { Clock, LockedCopies } from '#platform';

import type { CheckpointKeeper, NewestCheckpoint } from './checkpoint-keeper.port.js';

export interface LockedKeeperDependencies {
  readonly copies: LockedCopies;
  readonly clock: Pick<Clock, 'now'>;
  /** Days that a copy cannot be deleted. */
  readonly days: number;
}

const DAY_MS = 86_400_000;
const SIZE_DIGITS = 16;

/** Copies checkpoints to a place where nobody can delete them before a date. */
export class LockedKeeper implements CheckpointKeeper {
  constructor(private readonly dependencies: LockedKeeperDependencies) {}

  get name(): string {
    return this.dependencies.copies.place;
  }

  isDone({ last, copied }: AuditCheckpointState): boolean {
    return last === null || copied === last.size;
  }

  async keep({ tenant_id, size, checkpoint }: NewestCheckpoint): Promise<AuditCheckpointCommand> {
    const { copies, clock, days } = this.dependencies;
    const origin = parseCheckpoint(checkpoint)?.origin;
    if (origin === undefined) throw new Error(`The checkpoint of ${size} records is damaged`);
    const key = `${origin}/${String(size).padStart(SIZE_DIGITS, '0')}`;
    const until = new Date(clock.now().getTime() + days * DAY_MS);
    await copies.put(key, Buffer.from(checkpoint), until);
    const data = {
      tenant_id,
      size,
      place: `${copies.place}/${key}`,
      retained_until: until.toISOString(),
    };
    return { type: 'RecordCopy', data };
  }
}
