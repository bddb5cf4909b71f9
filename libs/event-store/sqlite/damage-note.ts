import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NOTE = 'events.damaged';

/**
 * A large log is checked in the background, after it was opened. What that finds is noted beside the log, so that the
 * next open checks everything first and refuses until the log is whole again.
 */
export function noteDamage(directory: string, error: unknown): void {
  writeFileSync(join(directory, NOTE), `${error instanceof Error ? error.message : String(error)}\n`, { flush: true });
}

/** Path of the note, or null where nothing is noted. */
export function damageNoted(directory: string): string | null {
  const path = join(directory, NOTE);
  return existsSync(path) ? path : null;
}
