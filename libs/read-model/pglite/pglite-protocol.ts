/** Requests to the thread that owns PGlite. */
export type PgliteRequest =
  | {
      readonly kind: 'query';
      readonly sql: string;
      readonly parameters: readonly unknown[];
      /** Statements to run before; an error of theirs is that of the query. */
      readonly first?: string;
    }
  | { readonly kind: 'close' };

/** A result in the form of node-postgres. */
export interface PgliteResult {
  readonly rows: readonly Record<string, unknown>[];
  readonly rowCount: number;
  readonly command: string;
}
