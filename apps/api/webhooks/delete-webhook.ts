import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { Caller } from '../auth/caller.js';
import { requireId } from '../edge/path-id.js';
import { Handles } from '../use-cases/handles.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

/** Deletes an endpoint for good; waiting events are not delivered. */
export class DeleteWebhook extends Command<void> {
  constructor(
    readonly caller: Caller,
    readonly webhookId: string,
  ) {
    super();
  }
}

@Handles(DeleteWebhook)
export class DeleteWebhookHandler implements ICommandHandler<DeleteWebhook> {
  constructor(private readonly endpoints: WebhookEndpoints) {}

  /** @throws FootnoteError `webhook_not_found`. */
  async execute({ caller, webhookId }: DeleteWebhook): Promise<void> {
    const webhook_id = requireId('webhook_not_found', webhookId);
    await this.endpoints.run(caller, { type: 'DeleteWebhook', data: { webhook_id } });
  }
}
