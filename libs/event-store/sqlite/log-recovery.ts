import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import { LogDamagedError } from '../errors/log-errors.js';
import type { LogHead, LogHeadAnchor } from './log-head-anchor.js';
import { storedHash, storedHead, verifyRange, verifyStructure } from './log-verification.js';
import { formatPosition } from './position.js';

export interface RecoveredLog {
  readonly head: LogHead;
  /**
   * Number of events after the anchor, accepted although they were not acknowledged: a crash came
   * between the two syncs.
   */
  readonly recovered: number;
  /** Events up to this position were not checked at open. 0 if the whole log was checked. */
  readonly unverified: number;
}

/**
 * Decides whether the log on disk is the one that was acknowledged. It rejects a log behind its
 * anchor, and one with another event at the anchor's position. It accepts a log ahead of the anchor
 * if the chain over the additional events is valid.
 * @param verifyAtOpen number of the newest events that are verified before the store opens.
 * @throws LogDamagedError with both positions, or with the first invalid position.
 */
export function recoverLog(
  database: DatabaseSync,
  anchor: LogHeadAnchor,
  verifyAtOpen: number,
): RecoveredLog {
  const head = storedHead(database);
  const anchored = anchor.read();
  if (!anchored) {
    if (head.position > 0) {
      throw new LogDamagedError(
        `The event log ends at ${formatPosition(head.position)} but its anchor, events.head, is missing or unreadable`,
      );
    }
    anchor.write(head);
    return { head, recovered: 0, unverified: 0 };
  }
  compare(database, anchored, head);
  const whole = head.position <= verifyAtOpen;
  const from = whole ? 0 : Math.min(anchored.position, head.position - verifyAtOpen);
  if (whole) verifyStructure(database);
  const verified = verifyRange(
    database,
    { position: from, hash: storedHash(database, from) },
    head.position,
  );
  if (head.position > anchored.position) anchor.write(verified);
  return { head: verified, recovered: head.position - anchored.position, unverified: from };
}

function compare(database: DatabaseSync, anchored: LogHead, head: LogHead): void {
  if (anchored.position > head.position) {
    throw new LogDamagedError(
      `The event log ends at ${formatPosition(head.position)} but was acknowledged up to ` +
        `${formatPosition(anchored.position)}: acknowledged events are missing`,
    );
  }
  if (storedHash(database, anchored.position) !== anchored.hash) {
    throw new LogDamagedError(
      `The event log ends at ${formatPosition(head.position)}, but its event at ` +
        `${formatPosition(anchored.position)} is not the one that was acknowledged there`,
    );
  }
}

const NOTE = 'events.damaged';

/**
 * Records damage next to the log. A large log is checked in the background after it was opened.
 * After such a record, the next open checks everything first and refuses until the log is complete
 * again.
 */
export function noteDamage(directory: string, error: unknown): void {
  writeFileSync(
    join(directory, NOTE),
    `${error instanceof Error ? error.message : String(error)}\n`,
    { flush: true },
  );
}

/** Returns the path of the damage record, or null if there is none. */
export function damageNoted(directory: string): string | null {
  const path = join(directory, NOTE);
  return existsSync(path) ? path : null;
}
