import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { parseCheckpoint, verifyCheckpoint } from '#audit';
import type { CheckpointVerification } from '#contracts/http/index';
import { AuditTrees, CheckpointStates } from '#transparency';

import type { Caller } from '../../auth/caller.js';
import { Handles } from '../../use-cases/handles.js';

/** Compares a checkpoint that the caller kept with the tenant's tree. */
export class VerifyCheckpoint extends Query<CheckpointVerification> {
  constructor(
    readonly caller: Caller,
    readonly checkpoint: string,
  ) {
    super();
  }
}

@Handles(VerifyCheckpoint)
export class VerifyCheckpointHandler implements IQueryHandler<VerifyCheckpoint> {
  constructor(
    private readonly trees: AuditTrees,
    private readonly states: CheckpointStates,
  ) {}

  async execute({ caller, checkpoint }: VerifyCheckpoint): Promise<CheckpointVerification> {
    const { tenantId } = caller;
    const parsed = parseCheckpoint(checkpoint);
    if (!parsed) return { valid: false, size: null, kind: 'checkpoint' };
    const { size } = parsed;
    const verifiers = await this.states.verifiers(tenantId);
    if (!verifyCheckpoint(checkpoint, verifiers)) return { valid: false, size, kind: 'signature' };
    const tree = await this.trees.newest(tenantId, size);
    if (size > tree.size) return { valid: false, size, kind: 'truncated' };
    const root = await this.trees.at(tenantId, size).rootIfComplete();
    const valid = root?.equals(parsed.root) ?? false;
    return { valid, size, kind: valid ? null : 'checkpoint' };
  }
}
