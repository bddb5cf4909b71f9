import { type IQueryHandler, Query } from '@nestjs/cqrs';

import { FootnoteError } from '#contracts';
import { CheckpointHistory } from '#transparency';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';

/** Reads the newest signed checkpoint of the tenant's tree as a note. */
export class ReadLogCheckpoint extends Query<string> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@Handles(ReadLogCheckpoint)
export class ReadLogCheckpointHandler implements IQueryHandler<ReadLogCheckpoint> {
  constructor(private readonly history: CheckpointHistory) {}

  /** @throws FootnoteError `not_found` before the first checkpoint. */
  async execute({ caller: { tenantId } }: ReadLogCheckpoint): Promise<string> {
    const newest = await this.history.newest(tenantId);
    if (!newest) throw new FootnoteError('not_found', 'Checkpoint not found');
    return newest.checkpoint;
  }
}
