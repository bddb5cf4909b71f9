/**
 * How long the guarded client waits for a part of an exchange, milliseconds; the whole has a
 * deadline besides.
 */
export const HTTP_TIMEOUTS = Object.freeze({
  connectMs: 5_000,
  /** From the end of the request to the headers of its answer. */
  headersMs: 10_000,
  /** Between two parts of a body. */
  bodyIdleMs: 10_000,
});
