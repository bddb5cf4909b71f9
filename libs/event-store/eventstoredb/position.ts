import type { Position as LogPosition } from '@eventstore/db-client';

import type { Position } from '#contracts';

const DIGITS = 20;

/**
 * Formats a commit position: an unsigned 64-bit number, zero-padded, so that string order is log
 * order.
 */
export function formatPosition(commit: bigint): Position {
  return commit.toString().padStart(DIGITS, '0') as Position;
}

/**
 * Parses the output of `formatPosition`. Appends without an explicit transaction, the only kind
 * here, have equal commit and prepare positions.
 * @throws RangeError for a string that is not a position of such a log.
 */
export function parsePosition(position: Position): LogPosition {
  if (!/^\d{20}$/.test(position))
    throw new RangeError(`"${position}" is not a position of this log`);
  const commit = BigInt(position);
  return { commit, prepare: commit };
}
