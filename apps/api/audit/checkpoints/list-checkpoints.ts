import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { AuditKeyList, CheckpointList, ListCheckpointsQuery } from '#contracts/http/index';
import { CheckpointHistory, CheckpointStates } from '#transparency';

import type { Caller } from '../../auth/caller.js';
import { Handles } from '../../use-cases/handles.js';
import { checkpointView } from './checkpoint-view.js';

/** Returns a page of the tenant's signed checkpoints, the newest first. */
export class ListCheckpoints extends Query<CheckpointList> {
  constructor(
    readonly caller: Caller,
    readonly query: ListCheckpointsQuery,
  ) {
    super();
  }
}

@Handles(ListCheckpoints)
export class ListCheckpointsHandler implements IQueryHandler<ListCheckpoints> {
  constructor(private readonly history: CheckpointHistory) {}

  async execute({ caller, query }: ListCheckpoints): Promise<CheckpointList> {
    const { before = Number.POSITIVE_INFINITY, limit } = query;
    const heads = await this.history.before(caller.tenantId, before, limit + 1);
    const page = heads.slice(0, limit);
    return {
      checkpoints: page.map(checkpointView),
      next: heads.length > limit ? (page.at(-1)?.size ?? null) : null,
    };
  }
}

/** Returns the public keys that verify the tenant's checkpoints. */
export class ListAuditKeys extends Query<AuditKeyList> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@Handles(ListAuditKeys)
export class ListAuditKeysHandler implements IQueryHandler<ListAuditKeys> {
  constructor(private readonly states: CheckpointStates) {}

  async execute({ caller }: ListAuditKeys): Promise<AuditKeyList> {
    const { keys, state } = await this.states.of(caller.tenantId);
    return {
      keys: keys.map(({ id, key, createdAt }) => {
        return { id, key, created_at: createdAt, current: id === state.key?.key_id };
      }),
    };
  }
}
