import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { AuditKeyList, CheckpointList, ListCheckpointsQuery } from '#contracts/http/index';

import type { Caller } from '../../auth/caller.js';
import { Handles } from '../../use-cases/handles.js';
import { CheckpointStream } from './checkpoint-stream.js';

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
  constructor(private readonly stream: CheckpointStream) {}

  async execute({ caller, query }: ListCheckpoints): Promise<CheckpointList> {
    const { before = Number.POSITIVE_INFINITY, limit } = query;
    const { checkpoints } = await this.stream.of(caller.tenantId);
    const earlier = checkpoints.filter(({ size }) => size < before);
    const page = earlier.slice(-limit).toReversed();
    return {
      checkpoints: page,
      next: earlier.length > limit ? (page.at(-1)?.size ?? null) : null,
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
  constructor(private readonly stream: CheckpointStream) {}

  async execute({ caller }: ListAuditKeys): Promise<AuditKeyList> {
    return { keys: (await this.stream.of(caller.tenantId)).keys };
  }
}
