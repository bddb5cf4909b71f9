/**
 * Timeouts of the guarded client for parts of an exchange, milliseconds; the whole has its own
 * deadline.
 */
export const HTTP_TIMEOUTS = Object.freeze({
  connectMs: 5_000,
  /** From the end of the request to the headers of its answer. */
  headersMs: 10_000,
  /** Between two chunks of a body. */
  bodyIdleMs: 10_000,
});
