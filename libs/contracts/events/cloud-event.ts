import type { JsonObject } from './define-event.js';
import { eventSchemaUri } from './event-schema-uri.js';
import type { RecordedEvent } from './stored-event.js';
import { WITHHELD_FIELDS } from './withheld-fields.js';

/**
 * An event as the world outside sees it: CloudEvents 1.0, structured JSON. Names of attributes are
 * lower-case by its rules.
 */
export interface CloudEvent {
  readonly specversion: '1.0';
  /** The event's id; readers recognize a repeated event by it. */
  readonly id: string;
  readonly source: string;
  /** The event's declared type. */
  readonly type: string;
  /** The stream. */
  readonly subject: string;
  /** The time of the event, by the writer's clock. */
  readonly time: string;
  readonly datacontenttype: 'application/json';
  /** Identifier of the JSON Schema of `data`, which `GET /schemas` serves. */
  readonly dataschema: string;
  readonly tenantid: string;
  /**
   * Place in the whole log, or the tenant's seq with leading zeros in the tenant's own feed; string
   * order is log order.
   */
  readonly sequence: string;
  /** Place in the stream, from 0. */
  readonly streamrevision: string;
  /** Version of the schema that `data` was written by. */
  readonly schemaversion: number;
  readonly correlationid: string;
  readonly causationid: string;
  readonly data: JsonObject;
}

const SOURCE = '/footnote';

/** The event for the feeds. Actor and HTTP context are for the audit trail, and stay there. */
export function toCloudEvent({
  id,
  type,
  stream,
  revision,
  position,
  metadata,
  data,
}: RecordedEvent): CloudEvent {
  const withheld = WITHHELD_FIELDS[type] ?? [];
  return {
    specversion: '1.0',
    id,
    source: SOURCE,
    type,
    subject: stream,
    time: metadata.occurred_at,
    datacontenttype: 'application/json',
    dataschema: eventSchemaUri(type, metadata.schema_version),
    tenantid: metadata.tenant_id,
    sequence: position,
    streamrevision: String(revision),
    schemaversion: metadata.schema_version,
    correlationid: metadata.correlation_id,
    causationid: metadata.causation_id,
    data: Object.fromEntries(Object.entries(data).filter(([name]) => !withheld.includes(name))),
  };
}

/** Digits of a seq in a feed, so that string order is log order. */
const SEQ_DIGITS = 16;

/**
 * Returns the event for the tenant's own feed. Its `sequence` is the tenant's seq: a position in
 * the log would show how much other tenants write.
 */
export function toTenantCloudEvent(event: RecordedEvent, seq: number): CloudEvent {
  return { ...toCloudEvent(event), sequence: String(seq).padStart(SEQ_DIGITS, '0') };
}
