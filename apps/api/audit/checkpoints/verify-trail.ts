import { Inject } from '@nestjs/common';
import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { verifyCheckpoint } from '#audit';
import type {
  TrailBreakView,
  TrailVerification,
  VerifyTrailQuery,
  WitnessedView,
} from '#contracts/http/index';
import {
  AuditTrees,
  CheckpointHistory,
  CheckpointStates,
  cosignedBy,
  type Transparency,
} from '#transparency';

import type { Caller } from '../../auth/caller.js';
import { Handles } from '../../use-cases/handles.js';
import { TrailSlice } from './trail-slice.js';
import { TRANSPARENCY } from './transparency.js';

/** Checks a slice of the caller's trail. */
export class VerifyTrail extends Query<TrailVerification> {
  constructor(
    readonly caller: Caller,
    readonly query: VerifyTrailQuery,
  ) {
    super();
  }
}

/** Records checked per request. */
const SLICE = 1_000;

@Handles(VerifyTrail)
export class VerifyTrailHandler implements IQueryHandler<VerifyTrail> {
  constructor(
    private readonly trees: AuditTrees,
    private readonly slice: TrailSlice,
    private readonly states: CheckpointStates,
    private readonly history: CheckpointHistory,
    @Inject(TRANSPARENCY) private readonly transparency: Pick<Transparency, 'witnesses'>,
  ) {}

  async execute({ caller: { tenantId }, query }: VerifyTrail): Promise<TrailVerification> {
    const { state } = await this.states.of(tenantId);
    const tree = await this.trees.newest(tenantId, state.last?.size);
    const from = query.from_seq;
    const last = Math.min(query.to_seq ?? tree.size - 1, tree.size - 1);
    const count = Math.max(0, Math.min(SLICE, last - from + 1));
    const end = from + count;
    const first_break =
      (await this.slice.firstBreak(tenantId, from, count)) ??
      (await this.checkpointBreak(tenantId, from, end, tree.size));
    return {
      valid: first_break === null,
      checked: first_break ? Math.max(0, Math.min(first_break.seq - from, count)) : count,
      head_seq: tree.size > 0 ? tree.size - 1 : null,
      head_hash: (await tree.rootIfComplete())?.toString('hex') ?? null,
      first_break,
      continue_from: first_break === null && count > 0 && end <= last ? end : null,
      witnessed: await this.witnessed(tenantId),
    };
  }

  /** Counts the configured witnesses that cosigned the newest checkpoint. */
  private async witnessed(tenantId: string): Promise<WitnessedView> {
    const keys = this.transparency.witnesses.map(({ key }) => key);
    const newest = await this.history.newest(tenantId);
    const cosigned = newest ? cosignedBy(newest.checkpoint, keys).length : 0;
    return { cosigned, of: keys.length };
  }

  /**
   * Checks the checkpoints whose last record is in the slice. The slice at the end of the trail
   * also rejects checkpoints of larger trees, since a trail never loses records.
   */
  private async checkpointBreak(
    tenantId: string,
    from: number,
    end: number,
    size: number,
  ): Promise<TrailBreakView | null> {
    const verifiers = await this.states.verifiers(tenantId);
    let found: TrailBreakView | null = null;
    await this.history.after(tenantId, from, async (signed) => {
      const seq = signed.size - 1;
      if (signed.size > size) {
        if (end >= size) found = { seq: size, kind: 'truncated' };
        return false;
      }
      if (signed.size > end) return false;
      const verified = verifyCheckpoint(signed.checkpoint, verifiers);
      if (verified?.size !== signed.size) {
        found = { seq, kind: 'signature' };
      } else {
        const root = await this.trees.at(tenantId, signed.size).rootIfComplete();
        if (!root?.equals(verified.root)) found = { seq, kind: 'checkpoint' };
      }
      return found === null;
    });
    return found;
  }
}
