import { validationFailed } from '#contracts';

/** The ids that streams of one event stream give: revisions. */
export const EVENT_ID = /^[0-9]{1,15}$/;

/** Unread characters of a slow client before it is disconnected. */
export const MAX_PENDING = 256 * 1024;

/**
 * Returns the revision of a `Last-Event-ID`; null without one.
 * @throws FootnoteError `validation_failed`.
 */
export function revisionOf(lastEventId: string | undefined): bigint | null {
  if (lastEventId === undefined) return null;
  if (!EVENT_ID.test(lastEventId)) {
    throw validationFailed([
      { field: 'Last-Event-ID', message: 'must be an id that this stream gave' },
    ]);
  }
  return BigInt(lastEventId);
}
