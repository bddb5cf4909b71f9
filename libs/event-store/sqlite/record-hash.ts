import { hash } from 'node:crypto';

import type { LogRow } from './log-protocol.js';

/** The hash before the first event. */
export const GENESIS = '0'.repeat(64);

/**
 * Hash of one record, chained to the one before: SHA-256 over the previous hash and every field, one a line. No field can
 * hold a line break (names are checked on append and JSON text escapes them), so no two records read alike.
 */
export function recordHash(previous: string, row: LogRow): string {
  const record = [
    previous,
    row.position,
    row.stream,
    row.revision,
    row.id,
    row.type,
    row.recordedAt,
    row.data,
    row.metadata,
  ].join('\n');
  return hash('sha256', record, 'hex');
}
