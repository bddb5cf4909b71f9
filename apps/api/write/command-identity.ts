/**
 * The identity of a command. With an Idempotency-Key its id is derived from tenant, route and key,
 * so that a twin request collides in the same stream. Without one it is new each time. It is never
 * derived from the request id.
 */
export interface CommandIdentity {
  readonly commandId: string;
  /** Present with an Idempotency-Key; goes into the metadata of the command's first event. */
  readonly idempotency: { readonly key_hash: string; readonly body_hash: string } | undefined;
  /**
   * Id of something this command makes: derived from a keyed command, else new and sortable by
   * time.
   */
  newId(kind: string): string;
}
