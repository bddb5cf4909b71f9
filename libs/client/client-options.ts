/** The options of a client. */
export interface ClientOptions {
  /** Address of the service, such as `http://localhost:8080`. */
  readonly url: string;
  /** API key. A page that is signed in by a cookie leaves it out. */
  readonly apiKey?: string;
  /** Sends the requests. Default: the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Headers of each request, such as `X-CSRF-Token` of a session. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Further attempts after a failed one. Default 3. */
  readonly retries?: number;
  /** Longest wait before an attempt, in milliseconds: a longer one fails. Default 30,000. */
  readonly longestWaitMs?: number;
  /** Time limit of one attempt until the answer has arrived, in milliseconds. Default 120,000. */
  readonly timeoutMs?: number;
}
