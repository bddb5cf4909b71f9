import type { Decider } from '#contracts';

const STREAM = Symbol('stream');

/**
 * A kind of stream: its name pattern, and every command and event of its decider. The tables are
 * records, so the compiler rejects a missing or unknown type.
 */
export interface StreamKind<
  Command extends { type: string },
  State,
  Event extends { type: string },
> {
  /**
   * For example `quota-<tenant_id>-<metric>`, or the name itself if a log has only one such stream.
   * The part before the first dash is the category, which is unique to this kind.
   */
  readonly pattern: `${string}-${string}`;
  readonly decider: Decider<Command, State, Event>;
  readonly commands: Readonly<Record<Command['type'], true>>;
  readonly events: Readonly<Record<Event['type'], true>>;
}

/** The properties that every kind of stream has. */
export interface DefinedStream {
  readonly category: string;
  readonly pattern: string;
  readonly commands: Readonly<Record<string, true>>;
  readonly events: Readonly<Record<string, true>>;
}

/**
 * Declares a kind of stream. The start checks all kinds that this library exports (`STREAM_KINDS`).
 */
export function defineStream<
  Command extends { type: string },
  State,
  Event extends { type: string },
>(kind: StreamKind<Command, State, Event>): StreamKind<Command, State, Event> & DefinedStream {
  const category = kind.pattern.slice(0, kind.pattern.indexOf('-'));
  return Object.freeze({ ...kind, category, [STREAM]: true });
}

export function isStream(value: unknown): value is DefinedStream {
  return typeof value === 'object' && value !== null && STREAM in value;
}
