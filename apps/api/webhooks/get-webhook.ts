import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { WebhookView } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

export class GetWebhook extends Query<WebhookView> {
  constructor(
    readonly caller: Caller,
    readonly webhookId: string,
  ) {
    super();
  }
}

@Handles(GetWebhook)
export class GetWebhookHandler implements IQueryHandler<GetWebhook> {
  constructor(private readonly endpoints: WebhookEndpoints) {}

  /** @throws FootnoteError `webhook_not_found`. */
  async execute({ caller: { tenantId }, webhookId }: GetWebhook): Promise<WebhookView> {
    return this.endpoints.view(tenantId, await this.endpoints.find(tenantId, webhookId));
  }
}
