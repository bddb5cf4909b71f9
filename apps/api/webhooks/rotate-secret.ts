import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { RotatedSecretView } from '#contracts/http/index';
import { CLOCK, type Clock, uuidv7 } from '#platform';

import type { Caller } from '../auth/caller.js';
import { requireId } from '../edge/path-id.js';
import { Handles } from '../use-cases/handles.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

/** Time for which the previous secret signs as well. */
const OVERLAP_MS = 24 * 60 * 60_000;

/** Replaces the secret of an endpoint. */
export class RotateWebhookSecret extends Command<RotatedSecretView> {
  constructor(
    readonly caller: Caller,
    readonly webhookId: string,
  ) {
    super();
  }
}

@Handles(RotateWebhookSecret)
export class RotateWebhookSecretHandler implements ICommandHandler<RotateWebhookSecret> {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @throws FootnoteError `webhook_not_found`. */
  async execute({ caller, webhookId }: RotateWebhookSecret): Promise<RotatedSecretView> {
    const webhook_id = requireId('webhook_not_found', webhookId);
    const secret_id = uuidv7();
    const { tenantId } = caller;
    const { secret, sealed } = await this.endpoints.newSecret(tenantId, webhook_id, secret_id);
    const previous_until = new Date(this.clock.now().getTime() + OVERLAP_MS).toISOString();
    await this.endpoints.run(caller, {
      type: 'RotateWebhookSecret',
      data: { webhook_id, secret_id, secret: sealed, previous_until },
    });
    return { secret, previous_until };
  }
}
