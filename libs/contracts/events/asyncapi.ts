import type { JsonObject } from './define-event.js';
import { eventSchemaUri } from './event-schema-uri.js';
import { embeddedEventSchema, type EventVersion, eventVersions } from './event-schemas.js';
import { UNDELIVERED_TYPES } from './webhook.events.js';

/** Topic of the events of all tenants, with Kafka. */
const TOPIC = 'footnote.events';

/**
 * Returns the AsyncAPI 3 description of the messages that the service sends: the event feed,
 * webhooks and the topic of events. Each message is a version of an event type.
 */
export function asyncApiDocument(version: string): JsonObject {
  const all = eventVersions();
  const delivered = all.filter(({ type }) => !UNDELIVERED_TYPES.includes(type));
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Footnote',
      version,
      description:
        'Events of a tenant as CloudEvents 1.0: docs/feed.md. `data` is as it was written, ' +
        'in the version that `schemaversion` names.',
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    defaultContentType: 'application/cloudevents+json',
    channels: {
      feed: {
        address: '/events',
        title: 'Event feed',
        description:
          'Server-sent events of one tenant, with `Accept: text/event-stream`. ' +
          'The id of each is the seq; `Last-Event-ID` resumes.',
        messages: messagesOf(all),
        bindings: { http: {} },
      },
      webhook: {
        address: '{endpoint}',
        title: 'Webhook endpoint',
        description:
          'POST to the URL of an endpoint, signed by Standard Webhooks: docs/webhooks.md.',
        parameters: { endpoint: { description: 'URL that the tenant configured.' } },
        messages: messagesOf(delivered),
        bindings: { http: {} },
      },
      topic: {
        address: TOPIC,
        title: 'Topic of events',
        description:
          'Events of all tenants of a service with Kafka, keyed by tenant ID. ' +
          '`sequence` is the position in the log.',
        messages: messagesOf(all),
        bindings: { kafka: { topic: TOPIC, bindingVersion: '0.5.0' } },
      },
    },
    operations: {
      sendToFeed: {
        ...sends('feed', 'Sends history and then each new event to a reader of the feed.'),
        security: [{ $ref: '#/components/securitySchemes/bearer' }],
        bindings: { http: { method: 'GET', bindingVersion: '0.3.0' } },
      },
      sendToWebhook: {
        ...sends('webhook', 'Delivers each event to an endpoint, at least once and in order.'),
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
      sendToTopic: sends('topic', 'Publishes each event at least once, in the order of a tenant.'),
    },
    components: {
      messages: Object.fromEntries(all.map((each) => [nameOf(each), message(each)])),
      schemas: {
        CloudEvent: CLOUD_EVENT,
        ...Object.fromEntries(all.map((each) => [nameOf(each), embeddedEventSchema(each)])),
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key with scope `audit`.' },
      },
    },
  };
}

function nameOf({ type, version }: EventVersion): string {
  return `${type}.v${version}`;
}

function messagesOf(versions: readonly EventVersion[]): JsonObject {
  return Object.fromEntries(
    versions.map(nameOf).map((name) => [name, { $ref: `#/components/messages/${name}` }]),
  );
}

function sends(channel: string, summary: string): JsonObject {
  return { action: 'send', channel: { $ref: `#/channels/${channel}` }, summary };
}

function message(each: EventVersion): JsonObject {
  const { type, version } = each;
  return {
    name: type,
    title: `${type}, version ${version}`,
    contentType: 'application/cloudevents+json',
    payload: {
      allOf: [
        { $ref: '#/components/schemas/CloudEvent' },
        {
          type: 'object',
          properties: {
            type: { const: type },
            schemaversion: { const: version },
            dataschema: { const: eventSchemaUri(type, version) },
            data: { $ref: `#/components/schemas/${nameOf(each)}` },
          },
        },
      ],
    },
  };
}

const TEXT = { type: 'string', minLength: 1 };

const CLOUD_EVENT = {
  type: 'object',
  description: 'Attributes of every event: docs/feed.md.',
  properties: {
    specversion: { const: '1.0' },
    id: TEXT,
    source: TEXT,
    type: TEXT,
    subject: { ...TEXT, description: 'Stream of the event.' },
    time: { type: 'string', format: 'date-time' },
    datacontenttype: { const: 'application/json' },
    dataschema: { ...TEXT, format: 'uri' },
    tenantid: TEXT,
    sequence: { ...TEXT, description: 'String order is log order.' },
    streamrevision: { type: 'string', pattern: '^[0-9]+$' },
    schemaversion: { type: 'integer', minimum: 1 },
    correlationid: TEXT,
    causationid: TEXT,
    data: { type: 'object' },
  },
  required: [
    ...['specversion', 'id', 'source', 'type', 'subject', 'time', 'datacontenttype'],
    ...['dataschema', 'tenantid', 'sequence', 'streamrevision', 'schemaversion'],
    ...['correlationid', 'causationid', 'data'],
  ],
};
