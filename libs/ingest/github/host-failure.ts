/** Reasons of a failed request to a host of repositories. */
export type HostFailureReason =
  'repository_not_found' | 'repository_unavailable' | 'github_rate_limited' | 'github_unavailable';

/** A host did not answer a request as hoped. The message has no text of the request. */
export class HostFailure extends Error {
  override readonly name = 'HostFailure';

  constructor(
    readonly reason: HostFailureReason,
    message: string,
    options: ErrorOptions & {
      /** Milliseconds until the host accepts requests again, if known. */
      readonly retryAfterMs?: number;
    } = {},
  ) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
  }

  readonly retryAfterMs: number | undefined;
}
