import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import { LogDamagedError } from '../errors/log-errors.js';
import type { HeadWitness, LogHead } from './head-witness.js';
import { storedHash, storedHead, verifyRange, verifyStructure } from './log-verification.js';
import { formatPosition } from './position.js';

export interface RecoveredLog {
  readonly head: LogHead;
  /**
   * Events after the witness, accepted although nobody was told about them: a crash came between
   * the two syncs.
   */
  readonly recovered: number;
  /** Everything up to here was not checked at open. 0 when the whole log was. */
  readonly unverified: number;
}

/**
 * Decides whether the log on disk is the one that was acknowledged. A log behind its witness, or
 * another at the witness's place, is refused; a log ahead of it is accepted once the chain over the
 * excess holds.
 * @param verifyAtOpen how many of the newest events are verified before the store opens.
 * @throws LogDamagedError naming both positions, or the first place that does not fit.
 */
export function recoverLog(
  database: DatabaseSync,
  witness: HeadWitness,
  verifyAtOpen: number,
): RecoveredLog {
  const head = storedHead(database);
  const witnessed = witness.read();
  if (!witnessed) {
    if (head.position > 0) {
      throw new LogDamagedError(
        `The event log ends at ${formatPosition(head.position)} but its head witness is missing or unreadable`,
      );
    }
    witness.write(head);
    return { head, recovered: 0, unverified: 0 };
  }
  compare(database, witnessed, head);
  const whole = head.position <= verifyAtOpen;
  const from = whole ? 0 : Math.min(witnessed.position, head.position - verifyAtOpen);
  if (whole) verifyStructure(database);
  const verified = verifyRange(
    database,
    { position: from, hash: storedHash(database, from) },
    head.position,
  );
  if (head.position > witnessed.position) witness.write(verified);
  return { head: verified, recovered: head.position - witnessed.position, unverified: from };
}

function compare(database: DatabaseSync, witnessed: LogHead, head: LogHead): void {
  if (witnessed.position > head.position) {
    throw new LogDamagedError(
      `The event log ends at ${formatPosition(head.position)} but was acknowledged up to ` +
        `${formatPosition(witnessed.position)}: acknowledged events are missing`,
    );
  }
  if (storedHash(database, witnessed.position) !== witnessed.hash) {
    throw new LogDamagedError(
      `The event log ends at ${formatPosition(head.position)}, but its event at ` +
        `${formatPosition(witnessed.position)} is not the one that was acknowledged there`,
    );
  }
}

const NOTE = 'events.damaged';

/**
 * A large log is checked in the background, after it was opened. What that finds is noted beside
 * the log, so that the next open checks everything first and refuses until the log is whole again.
 */
export function noteDamage(directory: string, error: unknown): void {
  writeFileSync(
    join(directory, NOTE),
    `${error instanceof Error ? error.message : String(error)}\n`,
    { flush: true },
  );
}

/** Path of the note, or null where nothing is noted. */
export function damageNoted(directory: string): string | null {
  const path = join(directory, NOTE);
  return existsSync(path) ? path : null;
}
