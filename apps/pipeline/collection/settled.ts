/**
 * From writing an uploaded file to the event that names it a request takes less than this,
 * milliseconds: one that was written longer ago and is not named by now, nobody is about to name.
 */
export const NAMED_WITHIN_MS = 60_000;
