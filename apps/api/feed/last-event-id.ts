import { validationFailed } from '#contracts';

/** Ids of the events of the feed: seqs. */
export const LAST_EVENT_ID = /^[0-9]{1,15}$/;

/**
 * Returns the seq of a `Last-Event-ID`; undefined without one.
 * @throws FootnoteError `validation_failed` for an id that no feed has.
 */
export function seqOf(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined) return undefined;
  if (!LAST_EVENT_ID.test(lastEventId)) {
    const message = 'must be the id of an event of this stream';
    throw validationFailed([{ field: 'Last-Event-ID', message }]);
  }
  return Number(lastEventId);
}

/** Reports whether an `Accept` header asks for server-sent events. */
export function acceptsEventStream(accept: string | undefined): boolean {
  return (accept ?? '')
    .split(',')
    .some((range) => range.split(';')[0]?.trim().toLowerCase() === 'text/event-stream');
}
