import type { WrongExpectedVersionError } from '@eventstore/db-client';

import type { ProposedEvent, RecordedEvent, StreamName } from '#contracts';

import { CorruptedIdempotencyError, WrongExpectedRevisionError } from '../errors/append-errors.js';
import type { AppendResult, ExpectedRevision } from '../event-store.port.js';
import type { LogReader } from './log-reader.js';

export interface RequestedAppend {
  readonly stream: StreamName;
  readonly events: readonly ProposedEvent[];
  readonly expected: ExpectedRevision;
}

/**
 * Determines the reason of a rejected append. For an append that continues with other events, the
 * server reports an ordinary conflict, so the stream decides.
 * @returns the first result if exactly these events follow the expected revision.
 * @throws CorruptedIdempotencyError, WrongExpectedRevisionError, FootnoteError
 * `engine_unavailable`; nothing was written.
 */
export async function explainConflict(
  reader: LogReader,
  append: RequestedAppend,
  refusal: WrongExpectedVersionError,
): Promise<AppendResult> {
  const { stream, events, expected } = append;
  const firstId = events[0]?.id ?? '';
  const actual = typeof refusal.actualVersion === 'bigint' ? refusal.actualVersion : 'none';
  if (expected === 'any' || expected === 'exists') {
    if (actual === 'none') throw new WrongExpectedRevisionError(stream, expected, actual);
    throw new CorruptedIdempotencyError(stream, firstId);
  }
  const first = expected === 'none' ? 0n : expected + 1n;
  if (actual === 'none' || actual < first)
    throw new WrongExpectedRevisionError(stream, expected, actual);
  const stored: RecordedEvent[] = [];
  for await (const event of reader.stream(stream, { from: first, limit: events.length }))
    stored.push(event);
  if (stored[0]?.id !== firstId) throw new WrongExpectedRevisionError(stream, expected, actual);
  const last = stored.at(-1);
  const same =
    stored.length === events.length &&
    stored.every((event, index) => event.id === events[index]?.id);
  if (!same || !last) throw new CorruptedIdempotencyError(stream, firstId);
  return { revision: last.revision, position: last.position };
}
