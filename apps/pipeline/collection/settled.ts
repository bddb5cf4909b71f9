/**
 * Maximum time from writing an uploaded file to the event that names it, in milliseconds. An older
 * file that no event names will not be named by a running request.
 */
export const NAMED_WITHIN_MS = 60_000;
