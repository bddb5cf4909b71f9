import { Module } from '@nestjs/common';

import { WriteModule } from '../write/write.module.js';
import { CreateWebhookHandler } from './create-webhook.js';
import { DeleteWebhookHandler } from './delete-webhook.js';
import { GetWebhookHandler } from './get-webhook.js';
import { ListDeliveriesHandler } from './list-deliveries.js';
import { ListWebhooksHandler } from './list-webhooks.js';
import { RequestWebhookRedeliveryHandler } from './request-redelivery.js';
import { RequestWebhookTestHandler } from './request-test.js';
import { RotateWebhookSecretHandler } from './rotate-secret.js';
import { UpdateWebhookHandler } from './update-webhook.js';
import { WebhookEndpoints } from './webhook-endpoints.js';
import { WebhooksController } from './webhooks.controller.js';

/** `/webhooks` */
@Module({
  imports: [WriteModule],
  controllers: [WebhooksController],
  providers: [
    WebhookEndpoints,
    CreateWebhookHandler,
    ListWebhooksHandler,
    GetWebhookHandler,
    UpdateWebhookHandler,
    DeleteWebhookHandler,
    RotateWebhookSecretHandler,
    RequestWebhookTestHandler,
    RequestWebhookRedeliveryHandler,
    ListDeliveriesHandler,
  ],
})
export class WebhooksModule {}
