import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

import {
  WEBHOOK_DISABLED_REASONS,
  WEBHOOK_FAILURES,
  type WebhookDisabledReason,
  type WebhookFailure,
} from '../events/webhook.events.js';
import { TextList } from './validation/list.js';
import { Flag, QueryWholeNumber } from './validation/number.js';
import { Clearable, Optional } from './validation/rule.js';
import { Text } from './validation/text.js';

export class CreateWebhookBody {
  /** Human-readable name. */
  @Text({ max: 100, kind: 'name' })
  @ApiProperty({ example: 'SIEM' })
  name: string;

  /** Address that receives the events by POST. It must use https. */
  @Text({ max: 2_048 })
  @ApiProperty({ example: 'https://siem.example.com/footnote' })
  url: string;

  /** Event types to receive. Default: all. */
  @Clearable()
  @TextList({ minItems: 1, maxItems: 200, maxLength: 64 })
  @ApiPropertyOptional({ example: ['PolicyUpdated', 'CheckpointSigned'] })
  types?: string[] | null;
}

/** Fields to change; absent ones stay. */
export class UpdateWebhookBody {
  @Optional()
  @Text({ max: 100, kind: 'name' })
  name?: string;

  /** Another address. A delivery that waits for its next attempt is sent there at once. */
  @Optional()
  @Text({ max: 2_048 })
  url?: string;

  /** Event types to receive; null for all. */
  @Clearable()
  @TextList({ minItems: 1, maxItems: 200, maxLength: 64 })
  types?: string[] | null;

  /** False stops deliveries. True continues them where they stopped. */
  @Optional()
  @Flag()
  enabled?: boolean;
}

export class WebhookView {
  @ApiProperty({ format: 'uuid' })
  id: string;
  name: string;
  /** Null once the keys of the tenant are destroyed. */
  @ApiProperty({ type: String, nullable: true })
  url: string | null;
  /** Null for all types. */
  @ApiProperty({ type: [String], nullable: true })
  types: readonly string[] | null;
  @ApiProperty({ enum: ['enabled', 'disabled'] })
  status: 'enabled' | 'disabled';
  /**
   * `requested`: by a request; `gone`: the endpoint answered 410; `failing`: every attempt of one
   * delivery failed. Null while it is enabled.
   */
  @ApiProperty({ type: String, enum: [...WEBHOOK_DISABLED_REASONS], nullable: true })
  disabled_reason: WebhookDisabledReason | null;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

/** A new endpoint. */
export class CreatedWebhookView extends WebhookView {
  /**
   * Secret that signs the deliveries. It is shown here and never again; a repeated request with the
   * same Idempotency-Key leaves it out.
   */
  @ApiPropertyOptional({ example: 'whsec_Jf0v…' })
  secret?: string;
}

/** The endpoints of the tenant, oldest first. */
export class WebhookList {
  @ApiProperty({ type: [WebhookView] })
  webhooks: readonly WebhookView[];
  total: number;
}

export class RotatedSecretView {
  /** The new secret, shown here and never again. */
  @ApiProperty({ example: 'whsec_Jf0v…' })
  secret: string;
  /** Until then, the previous secret signs as well. */
  @ApiProperty({ format: 'date-time' })
  previous_until: string;
}

/** The event that a request puts in the queue of an endpoint. */
export class WebhookEventView {
  /** Id of the event to be delivered; `webhook-id` of the delivery. */
  @ApiProperty({ format: 'uuid' })
  event_id: string;
}

export class ListDeliveriesQuery {
  /** The `next` of the last page. Default: from the newest on. */
  @Optional()
  @QueryWholeNumber(0, Number.MAX_SAFE_INTEGER)
  before?: number;
}

/** An attempt to deliver an event. */
export class WebhookDeliveryView {
  /** Id of the event, and `webhook-id` of every attempt. */
  @ApiProperty({ format: 'uuid' })
  event_id: string;
  event_type: string;
  /** Seq of the event that caused the delivery: of the request, for a test or a redelivery. */
  @ApiProperty({ type: 'integer' })
  seq: number;
  @ApiProperty({ enum: ['delivered', 'failed'] })
  status: 'delivered' | 'failed';
  /** Attempts so far, this one included. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  attempt: number;
  /** Status of the answer; null without one. */
  @ApiProperty({ type: 'integer', nullable: true })
  status_code: number | null;
  /**
   * `status`: an answer other than 2xx; `refused`: the address is on a private or reserved network.
   * Null for a delivered event.
   */
  @ApiProperty({ type: String, enum: [...WEBHOOK_FAILURES], nullable: true })
  failure: WebhookFailure | null;
  @ApiProperty({ format: 'date-time' })
  at: string;
  /** Time of the next attempt; null if there is none. */
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  retry_at: string | null;
}

/** Attempts of the last seven days, newest first. */
export class WebhookDeliveryList {
  @ApiProperty({ type: [WebhookDeliveryView] })
  deliveries: readonly WebhookDeliveryView[];
  /** The `before` of the next page; null after the last one. */
  @ApiProperty({ type: 'integer', nullable: true })
  next: number | null;
}
