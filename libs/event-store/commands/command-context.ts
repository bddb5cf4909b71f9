import type { EventMetadata } from '#contracts';
import { type Clock, uuidv7 } from '#platform';

/** Period in which a command is repeated, milliseconds. */
const WITHIN_MS = 10_000;

export interface CommandContext {
  /**
   * Identifies the command: the same id again is the same command, and its events are written once.
   * A UUID, derived from the idempotency key or the work id if there is one.
   */
  readonly commandId: string;
  /** Metadata of the events; `idempotency` is stored in the first one only. */
  readonly metadata: Omit<EventMetadata, 'schema_version'>;
  /** End of the repetitions, in milliseconds of `clock.monotonic()`. */
  readonly deadline: number;
}

/** The origin of a command. */
export type CommandOrigin = Pick<EventMetadata, 'tenant_id' | 'actor' | 'http' | 'idempotency'> & {
  /**
   * Correlation id of the request that caused the command. Default: the command's id, if no request
   * caused it.
   */
  readonly correlation_id?: string;
};

/**
 * Returns the context of a command that begins now and ends after ten seconds at the latest. The
 * command itself causes its effects.
 * @param commandId default: a new one, so that the command repeats no other.
 */
export function commandContext(
  clock: Pick<Clock, 'now' | 'monotonic'>,
  { tenant_id, actor, ...origin }: CommandOrigin,
  commandId = uuidv7(),
): CommandContext {
  const { correlation_id = commandId, ...more } = origin;
  const causes = { correlation_id, causation_id: commandId };
  return {
    commandId,
    metadata: { tenant_id, actor, ...causes, occurred_at: clock.now().toISOString(), ...more },
    deadline: clock.monotonic() + WITHIN_MS,
  };
}
