import { describe, it } from '@jest/globals';

import type { WebhookAttempt, WebhookDeliveryEvent, WebhookEvent } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { webhookDecider } from './webhook.decider.js';
import { webhookDeliveriesDecider } from './webhook-deliveries.decider.js';

const CREATED = {
  webhook_id: 'w1',
  name: 'SIEM',
  url: 'sealed',
  types: null,
  secret_id: 's1',
  secret: 'sealed',
  created_at: '2026-01-01T00:00:00.000Z',
};
const created: WebhookEvent = { type: 'WebhookCreated', data: CREATED };
const disabled: WebhookEvent = {
  type: 'WebhookDisabled',
  data: { webhook_id: 'w1', reason: 'gone' },
};

describe('the webhook endpoints of a tenant', () => {
  const { given } = specify(webhookDecider);

  it('creates endpoints up to the limit', () => {
    const second = { ...CREATED, webhook_id: 'w2' };
    given(created)
      .when({ type: 'CreateWebhook', data: second, limit: 2 })
      .then({ type: 'WebhookCreated', data: second });
    given(created)
      .when({ type: 'CreateWebhook', data: second, limit: 1 })
      .thenRefused('webhook_limit_reached');
    given(created, { type: 'WebhookDeleted', data: { webhook_id: 'w1' } })
      .when({ type: 'CreateWebhook', data: second, limit: 1 })
      .then({ type: 'WebhookCreated', data: second });
  });

  it('records only what changes', () => {
    given(created)
      .when({
        type: 'UpdateWebhook',
        data: { webhook_id: 'w1', name: 'SIEM', types: ['PolicyUpdated'], enabled: false },
      })
      .then(
        { type: 'WebhookUpdated', data: { webhook_id: 'w1', types: ['PolicyUpdated'] } },
        { type: 'WebhookDisabled', data: { webhook_id: 'w1', reason: 'requested' } },
      );
    given(created)
      .when({ type: 'UpdateWebhook', data: { webhook_id: 'w1', types: null, enabled: true } })
      .thenNothingHappened();
    given(created, disabled)
      .when({ type: 'UpdateWebhook', data: { webhook_id: 'w1', enabled: true } })
      .then({ type: 'WebhookEnabled', data: { webhook_id: 'w1' } });
  });

  it('disables an endpoint once', () => {
    given(created, disabled)
      .when({ type: 'DisableWebhook', data: { webhook_id: 'w1', reason: 'failing' } })
      .thenNothingHappened();
  });

  it('rejects commands on unknown and deleted endpoints', () => {
    const test = { type: 'RequestWebhookTest', data: { webhook_id: 'w1' } } as const;
    given().when(test).thenRefused('webhook_not_found');
    given(created, { type: 'WebhookDeleted', data: { webhook_id: 'w1' } })
      .when(test)
      .thenRefused('webhook_not_found');
  });
});

describe('the deliveries of an endpoint', () => {
  const { given } = specify(webhookDeliveriesDecider);
  const attempt = (seq: number): WebhookAttempt => ({
    seq,
    event_id: `e${seq}`,
    event_type: 'PolicyUpdated',
    attempt: 1,
    status_code: 200,
    at: '2026-01-01T00:00:00.000Z',
  });
  const delivered = (...seqs: number[]): WebhookDeliveryEvent => ({
    type: 'WebhookDelivered',
    data: { webhook_id: 'w1', deliveries: seqs.map(attempt) },
  });

  it('moves the cursor forward only', () => {
    given(delivered(3, 4))
      .when({
        type: 'RecordWebhookDeliveries',
        data: { webhook_id: 'w1', deliveries: [attempt(4), attempt(5)] },
      })
      .then(delivered(5));
    given(delivered(3, 4))
      .when({
        type: 'RecordWebhookFailure',
        data: { webhook_id: 'w1', delivery: attempt(4), failure: 'timeout', retry_at: null },
      })
      .thenNothingHappened();
  });
});
