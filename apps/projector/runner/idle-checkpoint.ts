/**
 * How long a checkpoint may stay behind while only events come that a projection does not handle, milliseconds. Searches
 * write one each: a transaction a projection for each of them would cost more than the search.
 */
export const IDLE_CHECKPOINT_MS = 1_000;
