import type { Position } from '#contracts';

const DIGITS = 20;

/** Formats a position in the log: zero-padded, so that string order is log order. */
export function formatPosition(place: number): Position {
  return place.toString().padStart(DIGITS, '0') as Position;
}

/**
 * Parses the output of `formatPosition`. The log counts from 1 in steps of 1, so a safe integer
 * represents every position.
 * @throws RangeError for a string that is not a position of such a log.
 */
export function parsePosition(position: Position | 'start'): number {
  if (position === 'start') return 0;
  const place = Number(position);
  if (!/^\d{20}$/.test(position) || !Number.isSafeInteger(place)) {
    throw new RangeError(`"${position}" is not a position of this log`);
  }
  return place;
}
