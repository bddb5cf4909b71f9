import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { CheckpointView } from '#contracts/http/index';
import { commandContext } from '#event-store';
import { CLOCK, type Clock } from '#platform';
import { CheckpointHistory, HeadSigner } from '#transparency';

import type { Caller } from '../../auth/caller.js';
import { Handles } from '../../use-cases/handles.js';
import { checkpointView } from './checkpoint-view.js';

/** Signs the head of the caller's tree, or returns the last checkpoint if nothing came since. */
export class SignHead extends Command<CheckpointView> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@Handles(SignHead)
export class SignHeadHandler implements ICommandHandler<SignHead> {
  constructor(
    private readonly signer: HeadSigner,
    private readonly history: CheckpointHistory,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ caller }: SignHead): Promise<CheckpointView> {
    const { tenantId, actor, requestId, http } = caller;
    const origin = { tenant_id: tenantId, actor, correlation_id: requestId, http };
    await this.signer.sign(tenantId, commandContext(this.clock, origin));
    const last = await this.history.newest(tenantId);
    if (!last) throw new Error(`The log has no checkpoint of tenant ${tenantId} after signing`);
    return checkpointView(last);
  }
}
