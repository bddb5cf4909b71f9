import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import { UNDELIVERED_TYPES } from '#contracts';
import type { WebhookEventView } from '#contracts/http/index';
import { getAuditRecord } from '#read-model';

import type { Caller } from '../auth/caller.js';
import { notFound, requireId } from '../edge/path-id.js';
import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import { Handles } from '../use-cases/handles.js';
import { Projected } from '../write/projected.js';
import { WebhookEndpoints } from './webhook-endpoints.js';

/** Has an endpoint receive an earlier event again. */
export class RequestWebhookRedelivery extends Command<WebhookEventView> {
  constructor(
    readonly caller: Caller,
    readonly webhookId: string,
    readonly eventId: string,
  ) {
    super();
  }
}

@Handles(RequestWebhookRedelivery)
export class RequestWebhookRedeliveryHandler implements ICommandHandler<RequestWebhookRedelivery> {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly projected: Projected,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {}

  /** @throws FootnoteError `webhook_not_found`, `audit_event_not_found`. */
  async execute(command: RequestWebhookRedelivery): Promise<WebhookEventView> {
    const { caller, webhookId, eventId } = command;
    const { webhook_id } = await this.endpoints.find(caller.tenantId, webhookId);
    const event_id = requireId('audit_event_not_found', eventId);
    await this.projected.caughtUp('audit_records');
    const record = await this.readModel.ask(getAuditRecord, caller.tenantId, event_id);
    if (!record || UNDELIVERED_TYPES.includes(record.type))
      throw notFound('audit_event_not_found', eventId);
    const data = { webhook_id, event_id };
    await this.endpoints.run(caller, { type: 'RequestWebhookRedelivery', data });
    return { event_id };
  }
}
