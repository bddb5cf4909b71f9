import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { UpdateWebhookBody, WebhookView } from '#contracts/http/index';
import type { WebhookEndpoint } from '#domain';
import type { Config } from '#platform';

import type { Caller } from '../auth/caller.js';
import { notFound } from '../edge/path-id.js';
import { CONFIG } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { WebhookEndpoints } from './webhook-endpoints.js';
import { webhookTypes, webhookUrl } from './webhook-input.js';

/** Changes an endpoint; absent fields stay. */
export class UpdateWebhook extends Command<WebhookView> {
  constructor(
    readonly caller: Caller,
    readonly webhookId: string,
    readonly body: UpdateWebhookBody,
  ) {
    super();
  }
}

@Handles(UpdateWebhook)
export class UpdateWebhookHandler implements ICommandHandler<UpdateWebhook> {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws FootnoteError `webhook_not_found`, `validation_failed`. */
  async execute({ caller, webhookId, body }: UpdateWebhook): Promise<WebhookView> {
    const { tenantId } = caller;
    const current = await this.endpoints.find(tenantId, webhookId);
    const { name, enabled } = body;
    const types = body.types === undefined ? undefined : webhookTypes(body.types);
    const url = await this.newUrl(tenantId, current, body.url);
    const { state } = await this.endpoints.run(caller, {
      type: 'UpdateWebhook',
      data: {
        webhook_id: webhookId,
        ...(name === undefined ? {} : { name }),
        ...(url === undefined ? {} : { url }),
        ...(types === undefined ? {} : { types }),
        ...(enabled === undefined ? {} : { enabled }),
      },
    });
    const endpoint = state.find(({ webhook_id }) => webhook_id === webhookId);
    if (!endpoint) throw notFound('webhook_not_found', webhookId);
    return this.endpoints.view(tenantId, endpoint);
  }

  /** Returns the sealed URL; undefined if it stays as it is. */
  private async newUrl(
    tenantId: string,
    current: WebhookEndpoint,
    text: string | undefined,
  ): Promise<string | undefined> {
    if (text === undefined) return undefined;
    const url = webhookUrl(text, this.config.network);
    if (url === (await this.endpoints.urlOf(tenantId, current))) return undefined;
    return this.endpoints.sealUrl(tenantId, current.webhook_id, url);
  }
}
