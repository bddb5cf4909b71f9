import { FootnoteError } from '#contracts';

/** @throws FootnoteError `bad_request` if nobody waits for the answer any more. */
export function throwIfGone(gone: AbortSignal | undefined): void {
  if (gone?.aborted) throw new FootnoteError('bad_request', 'The client closed the request');
}
