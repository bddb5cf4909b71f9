import type { EventMetadata } from '#contracts';
import { type Clock, uuidv7 } from '#platform';

/** How long a command is repeated, milliseconds. */
const WITHIN_MS = 10_000;

export interface CommandContext {
  /**
   * Decides identity: the same id again is the same command, and its events are written once. A
   * UUID, derived from the idempotency key or the work id where there is one.
   */
  readonly commandId: string;
  /** Metadata of the events; `idempotency` goes to the first one only. */
  readonly metadata: Omit<EventMetadata, 'schema_version'>;
  /** When to give up repeating, in milliseconds of `clock.monotonic()`. */
  readonly deadline: number;
}

/** Whose command it is. */
export type CommandOrigin = Pick<EventMetadata, 'tenant_id' | 'actor' | 'http' | 'idempotency'> & {
  /**
   * Of the request that it belongs to. Default: the command's id, where no request asked for it.
   */
  readonly correlation_id?: string;
};

/**
 * The context of a command that begins now, and is given up after ten seconds. What it does is
 * caused by the command itself.
 * @param commandId default: a new one, so that the command is no other again
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
