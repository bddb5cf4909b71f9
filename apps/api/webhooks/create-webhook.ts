import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { CreatedWebhookView, CreateWebhookBody } from '#contracts/http/index';
import { CLOCK, type Clock, type Config } from '#platform';

import type { Caller } from '../auth/caller.js';
import { CONFIG } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { WebhookEndpoints } from './webhook-endpoints.js';
import { webhookTypes, webhookUrl } from './webhook-input.js';

/** Creates an endpoint that receives the tenant's events from now on. */
export class CreateWebhook extends Command<CreatedWebhookView> {
  constructor(
    readonly caller: Caller,
    readonly body: CreateWebhookBody,
  ) {
    super();
  }
}

@Handles(CreateWebhook)
export class CreateWebhookHandler implements ICommandHandler<CreateWebhook> {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly identities: CommandIdentities,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** Returns the secret only to the request that created the endpoint. */
  async execute({ caller, body }: CreateWebhook): Promise<CreatedWebhookView> {
    const { tenantId } = caller;
    const url = webhookUrl(body.url, this.config.network);
    const types = webhookTypes(body.types ?? null);
    const identity = await this.identities.of(caller, body);
    const webhook_id = identity.newId('webhook');
    const secret_id = identity.newId('webhook-secret');
    const { secret, sealed } = await this.endpoints.newSecret(tenantId, webhook_id, secret_id);
    const { state, appended } = await this.endpoints.run(
      caller,
      {
        type: 'CreateWebhook',
        data: {
          webhook_id,
          name: body.name,
          url: await this.endpoints.sealUrl(tenantId, webhook_id, url),
          types,
          secret_id,
          secret: sealed,
          created_at: this.clock.now().toISOString(),
        },
        limit: this.config.webhooks.perTenant,
      },
      identity,
    );
    const endpoint = state.find((each) => each.webhook_id === webhook_id);
    if (!endpoint) throw new Error(`Webhook ${webhook_id} was not created`);
    const view = await this.endpoints.view(tenantId, endpoint);
    return appended ? { ...view, secret } : view;
  }
}
