/** The service as a client reaches it. */
export type Endpoint =
  | { readonly kind: 'http'; readonly url: string; readonly key: string }
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    };

/** Results that a client received. */
export interface Seen {
  readonly tools: readonly string[];
  /** Text of a search. */
  readonly text: string;
}
