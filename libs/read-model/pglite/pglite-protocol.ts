/** What the thread that owns PGlite is told. */
export type PgliteRequest =
  | { readonly kind: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly kind: 'close' };

/** A result as node-postgres would give it. */
export interface PgliteResult {
  readonly rows: readonly Record<string, unknown>[];
  readonly rowCount: number;
  readonly command: string;
}
