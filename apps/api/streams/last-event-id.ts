import type { ApiHeaderOptions } from '@nestjs/swagger';

import { validationFailed } from '#contracts';

/** The ids of streamed events: revisions of one stream, or seqs of the feed. */
export const EVENT_ID = /^[0-9]{1,15}$/;

/** Unread characters of a slow client before it is disconnected. */
export const MAX_PENDING = 256 * 1024;

/** The header that resumes a stream, for the description of the API. */
export const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  required: false,
  description:
    'The id of the last event that the client has; ' +
    'anything that is no id of a stream is refused with 400.',
  schema: { type: 'string', pattern: EVENT_ID.source },
} as const satisfies ApiHeaderOptions;

/**
 * Returns the number in a `Last-Event-ID`; null without one.
 * @param rule the message about an id that no event has.
 * @throws FootnoteError `validation_failed`.
 */
export function eventIdIn(
  lastEventId: string | undefined,
  rule = 'must be an id that this stream gave',
): bigint | null {
  if (lastEventId === undefined) return null;
  if (!EVENT_ID.test(lastEventId))
    throw validationFailed([{ field: LAST_EVENT_ID.name, message: rule }]);
  return BigInt(lastEventId);
}
