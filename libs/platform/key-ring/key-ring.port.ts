/** Text sealed with a tenant's data key; base64 of nonce, ciphertext and tag. */
export type Sealed = string & { readonly __sealed: unique symbol };

/**
 * The data keys of the tenants, wrapped by the master key. Kept and backed up apart from the log: destroying a tenant's key
 * erases everything that was sealed with it, while the history stays whole.
 */
export interface KeyRing {
  /**
   * Seals text for one place. `context` (stream, event id, field) is authenticated: text moved elsewhere does not open.
   * Makes the tenant's key on first use. @throws KeyDestroyedError after `destroy`.
   */
  seal(tenantId: string, context: string, text: string): Promise<Sealed>;
  /** @returns the text, or null when the tenant's key was destroyed. @throws Error when key, context or text do not match. */
  open(tenantId: string, context: string, sealed: Sealed): Promise<string | null>;
  /** Destroys the tenant's key for good; again is harmless. */
  destroy(tenantId: string): Promise<void>;
}

/** Sealing for a tenant whose key was destroyed. */
export class KeyDestroyedError extends Error {
  readonly code = 'key_destroyed';
  constructor(readonly tenantId: string) {
    super(`The data key of tenant ${tenantId} was destroyed`);
    this.name = 'KeyDestroyedError';
  }
}

/** Injection token of the port. */
export const KEY_RING = Symbol('KeyRing');
