import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ApiTags } from '@nestjs/swagger';

import {
  CreatedWebhookView,
  CreateWebhookBody,
  ListDeliveriesQuery,
  RotatedSecretView,
  UpdateWebhookBody,
  WebhookDeliveryList,
  WebhookEventView,
  WebhookList,
  WebhookView,
} from '#contracts/http/index';

import { NeedsScope, OwnerOrFullKey } from '../auth/access.decorators.js';
import { type Caller, CurrentCaller } from '../auth/caller.js';
import { Idempotent } from '../openapi/idempotent.js';
import { Problems } from '../openapi/problem-responses.js';
import { CreateWebhook } from './create-webhook.js';
import { DeleteWebhook } from './delete-webhook.js';
import { GetWebhook } from './get-webhook.js';
import { ListDeliveries } from './list-deliveries.js';
import { ListWebhooks } from './list-webhooks.js';
import { RequestWebhookRedelivery } from './request-redelivery.js';
import { RequestWebhookTest } from './request-test.js';
import { RotateWebhookSecret } from './rotate-secret.js';
import { UpdateWebhook } from './update-webhook.js';

/** Changes need full access: an endpoint sends the tenant's history to another place. */
@ApiTags('webhooks')
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Creates a webhook endpoint. Its secret is in this answer and never again. */
  @Post()
  @OwnerOrFullKey()
  @Idempotent()
  @Problems(
    'scope_missing',
    'malformed_json',
    'webhook_limit_reached',
    'idempotency_key_reused',
    'concurrent_change',
    'unsupported_media_type',
  )
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateWebhookBody,
  ): Promise<CreatedWebhookView> {
    return this.commands.execute(new CreateWebhook(caller, body));
  }

  /** Lists webhook endpoints, oldest first. */
  @Get()
  @NeedsScope('audit')
  @Problems('scope_missing')
  list(@CurrentCaller() caller: Caller): Promise<WebhookList> {
    return this.queries.execute(new ListWebhooks(caller));
  }

  /** Returns a webhook endpoint. */
  @Get(':webhook_id')
  @NeedsScope('audit')
  @Problems('scope_missing', 'webhook_not_found')
  get(@CurrentCaller() caller: Caller, @Param('webhook_id') id: string): Promise<WebhookView> {
    return this.queries.execute(new GetWebhook(caller, id));
  }

  /** Changes a webhook endpoint, and enables or disables it. */
  @Patch(':webhook_id')
  @OwnerOrFullKey()
  @Problems(
    'scope_missing',
    'malformed_json',
    'webhook_not_found',
    'concurrent_change',
    'unsupported_media_type',
  )
  update(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id') id: string,
    @Body() body: UpdateWebhookBody,
  ): Promise<WebhookView> {
    return this.commands.execute(new UpdateWebhook(caller, id, body));
  }

  /** Deletes a webhook endpoint. */
  @Delete(':webhook_id')
  @HttpCode(204)
  @OwnerOrFullKey()
  @Problems('scope_missing', 'webhook_not_found', 'concurrent_change')
  remove(@CurrentCaller() caller: Caller, @Param('webhook_id') id: string): Promise<void> {
    return this.commands.execute(new DeleteWebhook(caller, id));
  }

  /** Queues a test event for the endpoint, whatever types it receives. */
  @Post(':webhook_id/test')
  @HttpCode(202)
  @OwnerOrFullKey()
  @Problems('scope_missing', 'webhook_not_found', 'concurrent_change')
  test(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id') id: string,
  ): Promise<WebhookEventView> {
    return this.commands.execute(new RequestWebhookTest(caller, id));
  }

  /** Returns a new secret; the previous one signs as well for 24 hours. */
  @Post(':webhook_id/rotate-secret')
  @HttpCode(200)
  @OwnerOrFullKey()
  @Problems('scope_missing', 'webhook_not_found', 'concurrent_change')
  rotate(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id') id: string,
  ): Promise<RotatedSecretView> {
    return this.commands.execute(new RotateWebhookSecret(caller, id));
  }

  /** Lists delivery attempts of the last seven days, newest first. */
  @Get(':webhook_id/deliveries')
  @NeedsScope('audit')
  @Problems('scope_missing', 'webhook_not_found')
  deliveries(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id') id: string,
    @Query() { before }: ListDeliveriesQuery,
  ): Promise<WebhookDeliveryList> {
    return this.queries.execute(new ListDeliveries(caller, id, before));
  }

  /** Queues an event of the tenant for another delivery. */
  @Post(':webhook_id/deliveries/:event_id/redeliver')
  @HttpCode(202)
  @OwnerOrFullKey()
  @Problems('scope_missing', 'webhook_not_found', 'audit_event_not_found', 'concurrent_change')
  redeliver(
    @CurrentCaller() caller: Caller,
    @Param('webhook_id') id: string,
    @Param('event_id') eventId: string,
  ): Promise<WebhookEventView> {
    return this.commands.execute(new RequestWebhookRedelivery(caller, id, eventId));
  }
}
