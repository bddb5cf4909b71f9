import { type IQueryHandler, Query } from '@nestjs/cqrs';

import type { WebhookList } from '#contracts/http/index';

import type { Caller } from '../auth/caller.js';
import { Handles } from '../use-cases/handles.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

export class ListWebhooks extends Query<WebhookList> {
  constructor(readonly caller: Caller) {
    super();
  }
}

@Handles(ListWebhooks)
export class ListWebhooksHandler implements IQueryHandler<ListWebhooks> {
  constructor(private readonly endpoints: WebhookEndpoints) {}

  async execute({ caller: { tenantId } }: ListWebhooks): Promise<WebhookList> {
    const all = await this.endpoints.all(tenantId);
    const webhooks = await Promise.all(all.map((each) => this.endpoints.view(tenantId, each)));
    return { webhooks, total: webhooks.length };
  }
}
