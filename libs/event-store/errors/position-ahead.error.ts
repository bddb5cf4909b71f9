import type { Position } from '#contracts';

/**
 * A reader wants to go on after a position that the log has not reached: its checkpoint witnesses events that the log has
 * lost, as after restoring an older backup. What the reader made of them must be built again.
 */
export class PositionAheadError extends Error {
  readonly code = 'position_ahead';

  constructor(
    readonly position: Position,
    /** Newest event of the log; null on an empty log. */
    readonly head: Position | null,
    /** What the log is called: its server's hosts, or its folder. */
    readonly log?: string,
  ) {
    const named = log === undefined ? '' : ` (${log})`;
    const end = head === null ? 'is empty' : `ends at ${head}`;
    super(`Position ${position} is ahead of the event log${named}, which ${end}`);
    this.name = 'PositionAheadError';
  }
}

export function isPositionAhead(error: unknown): error is PositionAheadError {
  return error instanceof Error && 'code' in error && error.code === 'position_ahead';
}
