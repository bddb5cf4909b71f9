import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { WebhookEventView } from '#contracts/http/index';
import { eventId } from '#platform';

import type { Caller } from '../auth/caller.js';
import { requireId } from '../edge/path-id.js';
import { Handles } from '../use-cases/handles.js';
import { CommandIdentities } from '../write/command-identities.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

/** Has an endpoint receive a test event. */
export class RequestWebhookTest extends Command<WebhookEventView> {
  constructor(
    readonly caller: Caller,
    readonly webhookId: string,
  ) {
    super();
  }
}

@Handles(RequestWebhookTest)
export class RequestWebhookTestHandler implements ICommandHandler<RequestWebhookTest> {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly identities: CommandIdentities,
  ) {}

  /** @throws FootnoteError `webhook_not_found`. */
  async execute({ caller, webhookId }: RequestWebhookTest): Promise<WebhookEventView> {
    const webhook_id = requireId('webhook_not_found', webhookId);
    const identity = await this.identities.of(caller, undefined);
    const command = { type: 'RequestWebhookTest', data: { webhook_id } } as const;
    await this.endpoints.run(caller, command, identity);
    return { event_id: eventId(identity.commandId, 0) };
  }
}
