/** What the thread that owns PGlite is told; `id` pairs a request with its answer. */
export type PgliteRequest =
  | { readonly id: number; readonly kind: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly id: number; readonly kind: 'close' };

/** A result as node-postgres would give it. */
export interface PgliteResult {
  readonly rows: readonly Record<string, unknown>[];
  readonly rowCount: number;
  readonly command: string;
}

/** An error's message and the fields by which Postgres errors are told apart. */
export interface PgliteFailure {
  readonly message: string;
  readonly code?: string;
  readonly detail?: string;
  readonly constraint?: string;
}

export type PgliteReply =
  { readonly id: number; readonly result: PgliteResult } | { readonly id: number; readonly failure: PgliteFailure };

/** Sent once, when the folder is open or refused to open. */
export type PgliteGreeting = { readonly opened: true } | { readonly opened: false; readonly failure: PgliteFailure };
