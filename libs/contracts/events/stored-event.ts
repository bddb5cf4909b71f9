import type { JsonObject } from './define-event.js';

/** The principal that caused an event. */
export interface Actor {
  /** `anonymous`: somebody without valid credentials, whose id is the network of their address. */
  readonly type: 'api_key' | 'user' | 'system' | 'operator' | 'anonymous';
  readonly id: string;
  readonly name?: string;
}

/** Details for auditors about the request behind an event; absent for background work. */
export interface HttpContext {
  readonly request_id: string;
  readonly ip?: string;
  readonly user_agent?: string;
  readonly method: string;
  readonly path: string;
}

/** Metadata of every event. */
export interface EventMetadata {
  readonly tenant_id: string;
  readonly actor: Actor;
  /** The request id at the edge, inherited by everything that follows from it. */
  readonly correlation_id: string;
  /** Id of the command or event that caused this one. */
  readonly causation_id: string;
  readonly schema_version: number;
  /** The time of the event, by the writer's clock (ISO 8601, UTC, milliseconds). */
  readonly occurred_at: string;
  readonly http?: HttpContext;
  /** Present on the first event of a request that carried an Idempotency-Key. */
  readonly idempotency?: { readonly key_hash: string; readonly body_hash: string };
}

/** Names of streams are `category-id`. */
export type StreamName = `${string}-${string}`;

/** An opaque place in the whole log, zero-padded so that string order is log order. */
export type Position = string & { readonly __position: unique symbol };

/** An event as it is handed to `append`. */
export interface ProposedEvent {
  /**
   * UUIDv5 of the causing command or work id and the event's index: it identifies a repeated
   * append.
   */
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: EventMetadata;
}

/** An event as it is read back. */
export interface RecordedEvent extends ProposedEvent {
  readonly stream: StreamName;
  readonly revision: bigint;
  readonly position: Position;
  readonly recordedAt: Date;
}
