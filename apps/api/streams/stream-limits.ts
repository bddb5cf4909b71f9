/** Interval between reads of a stream without reported activity: a signal may be lost. */
export const POLL_EVERY_MS = 15_000;
/** A stream of events ends after this time; the client resumes by its last id. */
export const MAX_LIFE_MS = 60 * 60_000;
