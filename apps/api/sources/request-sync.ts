import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { SyncAccepted } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { requireId } from '../edge/path-id.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { SyncAcceptance } from './accept-sync.js';

/** Starts a sync. */
export class RequestSync extends Command<SyncAccepted> {
  constructor(
    readonly caller: Caller,
    readonly sourceId: string,
  ) {
    super();
  }
}

@Handles(RequestSync)
export class RequestSyncHandler implements ICommandHandler<RequestSync> {
  constructor(
    private readonly identities: CommandIdentities,
    private readonly syncs: SyncAcceptance,
  ) {}

  async execute({ caller, sourceId }: RequestSync): Promise<SyncAccepted> {
    requireId('source_not_found', sourceId);
    const identity = await this.identities.of(caller, undefined);
    const jobId = identity.newId('job');
    const { source } = await this.syncs.accept({
      caller,
      identity,
      sourceId,
      jobId,
      whileOneRuns: 'refuse',
    });
    return { job_id: jobId, source_id: sourceId, message: `Sync of ${source.name} started` };
  }
}
