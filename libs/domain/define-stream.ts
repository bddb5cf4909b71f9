import type { Decider } from '#contracts';

const STREAM = Symbol('stream');

/**
 * A kind of stream: how its streams are named, and every command and event that its decider knows.
 * The tables are records, so that the compiler refuses one that misses a type or names one that
 * does not exist.
 */
export interface StreamKind<
  Command extends { type: string },
  State,
  Event extends { type: string },
> {
  /**
   * Such as `quota-<tenant_id>-<metric>`, or the name itself where a log has one such stream alone;
   * the part before the first dash is the category, which no other kind has.
   */
  readonly pattern: `${string}-${string}`;
  readonly decider: Decider<Command, State, Event>;
  readonly commands: Readonly<Record<Command['type'], true>>;
  readonly events: Readonly<Record<Event['type'], true>>;
}

/** What every kind of stream has, whatever its decider. */
export interface DefinedStream {
  readonly category: string;
  readonly pattern: string;
  readonly commands: Readonly<Record<string, true>>;
  readonly events: Readonly<Record<string, true>>;
}

/**
 * Declares a kind of stream. Whatever this room exports of them is checked at the start
 * (`STREAM_KINDS`).
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
