/**
 * A place in the log as the server counts it: a commit and a prepare position. An event has equal
 * ones. A page begins at `{ commit, prepare: 0 }`, which is before the event that stands there.
 */
export interface Place {
  readonly commit: number;
  readonly prepare: number;
}

/**
 * Before everything. On the wire it wraps around to the largest 64-bit number, as on the server.
 */
export const NOWHERE: Place = { commit: -1, prepare: -1 };

/**
 * The position that a client sends for the end of the log, and reads where a server sends
 * `NOWHERE`.
 */
const LARGEST = 2n ** 64n - 1n;

export function eventPlace(position: number): Place {
  return { commit: position, prepare: position };
}

/** Negative when `a` is before `b`, 0 when they are the same. */
export function comparePlaces(a: Place, b: Place): number {
  return a.commit - b.commit || a.prepare - b.prepare;
}

/** A position as 64 bits without a sign. */
export function wirePosition(position: number): string {
  return String(BigInt.asUintN(64, BigInt(position)));
}

interface PositionMessage {
  getCommitPosition(): string;
  getPreparePosition(): string;
}

/**
 * The place that a client asks for; `end` for the largest number, which the server takes for its
 * own end.
 */
export function placeOf(message: PositionMessage): Place | 'end' {
  const [commit, prepare] = [
    BigInt(message.getCommitPosition()),
    BigInt(message.getPreparePosition()),
  ];
  if (commit === LARGEST && prepare === LARGEST) return 'end';
  return { commit: Number(commit), prepare: Number(prepare) };
}
