import { addressEvents, fingerprintKeyEvents } from './address.events.js';
import { answerEvents } from './answer.events.js';
import { apiKeyEvents } from './api-key.events.js';
import { auditCheckpointEvents } from './audit-checkpoint.events.js';
import { configurationEvents } from './configuration.events.js';
import { conversationEvents } from './conversation.events.js';
import type { EventDefinition, EventOf } from './define-event.js';
import { generationEvents } from './generation.events.js';
import { idempotencyKeyEvents } from './idempotency-key.events.js';
import { jobEvents } from './job.events.js';
import { logEvents } from './log.events.js';
import { invitationEvents, membersEvents } from './members.events.js';
import { operatorEvents } from './operator.events.js';
import { packageEvents } from './package.events.js';
import { packageLinkEvents } from './package-link.events.js';
import { policyEvents } from './policy.events.js';
import { quotaEvents } from './quota.events.js';
import { recordedReadEvents, trailExportEvents } from './recorded-read.events.js';
import { refusalEvents } from './refusal.events.js';
import { roverEvents } from './rover.events.js';
import { sourceEvents } from './source.events.js';
import { tenantEvents } from './tenant.events.js';
import { sessionEvents, userEvents } from './user.events.js';
import { webhookDeliveryEvents, webhookEvents } from './webhook.events.js';

/** Every event the product knows. The start-up check refuses two definitions of one type. */
export const EVENT_DEFINITIONS = [
  ...sourceEvents,
  ...jobEvents,
  ...generationEvents,
  ...policyEvents,
  ...quotaEvents,
  ...answerEvents,
  ...conversationEvents,
  ...apiKeyEvents,
  ...tenantEvents,
  ...packageEvents,
  ...packageLinkEvents,
  ...membersEvents,
  ...invitationEvents,
  ...userEvents,
  ...sessionEvents,
  ...addressEvents,
  ...fingerprintKeyEvents,
  ...idempotencyKeyEvents,
  ...recordedReadEvents,
  ...trailExportEvents,
  ...refusalEvents,
  ...configurationEvents,
  ...logEvents,
  ...operatorEvents,
  ...auditCheckpointEvents,
  ...roverEvents,
  ...webhookEvents,
  ...webhookDeliveryEvents,
] as const;

export type DomainEvent = EventOf<(typeof EVENT_DEFINITIONS)[number]>;
export type DomainEventType = DomainEvent['type'];

const byType: ReadonlyMap<string, EventDefinition<string, unknown>> = new Map(
  EVENT_DEFINITIONS.map((definition) => [
    definition.type,
    definition as unknown as EventDefinition<string, unknown>,
  ]),
);

/** The definition of an event type, or undefined for a type this version does not know. */
export function eventDefinition(type: string): EventDefinition<string, unknown> | undefined {
  return byType.get(type);
}
