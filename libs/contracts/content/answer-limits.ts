/**
 * Bounds of one answer. Requests, answers and the events that record them take their bounds from
 * here, so that an answer that the API accepts always fits its events.
 */

/** Results that a request may ask for. */
export const MOST_TOP_K = 50;

/** Results of a multi-hop search: the hits and their neighbors. */
export const MOST_RESULTS = 250;

/** Passages that an answer in words may rest on. */
export const MOST_PASSAGES = 50;

/** Packages that one question may mention. */
export const MOST_MENTIONS = 5;

/** Documents that the answer to one question may rest on. */
export const MOST_CHAT_DOCUMENTS = 10;

/** Repositories that a request for a rover job may name, by mode. */
export const MOST_ROVER_REPOS = { fast: 3, deep: 10 } as const;
