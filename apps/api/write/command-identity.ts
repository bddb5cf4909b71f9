/**
 * What makes a command one: with an Idempotency-Key its id follows from tenant, route and key, so
 * that a twin request collides in the same stream; without one it is new each time. It never
 * follows from the request id.
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
