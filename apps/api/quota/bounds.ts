/** Searches of one tenant that may wait for a place in a process; further ones are refused. */
export const MOST_WAITING_SEARCHES = 1_000;
