import { isFolderInUse } from '#platform/data-dir/process-lock';

import { isLogDamaged } from '../errors/log-errors.js';

/**
 * The effect of a log fault on its process. Outside the thread, its class is recreated from this
 * code.
 */
export type LogFaultCode = 'log_damaged' | 'log_in_use' | 'log_failed' | 'storage_full';

/** Primary result codes of SQLite. */
const BUSY = 5;
const IO_ERROR = 10;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;

/**
 * Returns the primary result code of an error of node:sqlite, whatever its extended code; null for
 * any other error.
 */
function primaryCode(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('errcode' in error)) return null;
  return Number(error.errcode) & 0xff;
}

/**
 * Reports whether the disk is full: nothing was written, and writing works again once there is
 * space.
 */
export function isStorageFull(error: unknown): boolean {
  return primaryCode(error) === FULL;
}

/** Reports whether the disk fails or returns wrong data, so that the process must not continue. */
export function isDiskFault(error: unknown): boolean {
  const code = primaryCode(error);
  return code === IO_ERROR || code === CORRUPT || code === NOT_A_DATABASE || isLogDamaged(error);
}

/** Returns a fault with a code that crosses the thread. */
export function toFault(error: unknown): Error & { readonly code: LogFaultCode } {
  const { code, message } = describe(error);
  return Object.assign(new Error(message), { code });
}

function describe(error: unknown): { readonly code: LogFaultCode; readonly message: string } {
  const message = error instanceof Error ? error.message : String(error);
  const code = primaryCode(error);
  if (isLogDamaged(error)) return { code: 'log_damaged', message };
  if (code === CORRUPT || code === NOT_A_DATABASE) {
    return { code: 'log_damaged', message: `The file of the event log is damaged: ${message}` };
  }
  if (isFolderInUse(error)) return { code: 'log_in_use', message };
  if (code === BUSY)
    return {
      code: 'log_in_use',
      message: 'Another program uses the file of the event log; stop it',
    };
  if (code === FULL) return { code: 'storage_full', message: 'The disk is full' };
  return { code: 'log_failed', message };
}
