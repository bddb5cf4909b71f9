/** Text sealed with a tenant's data key: the key id, and base64 of nonce, ciphertext and tag. */
export type Sealed = string & { readonly __sealed: unique symbol };

/**
 * The data keys of the tenants, wrapped by the master key. Stored and backed up separately from the
 * log: destroying a tenant's key erases everything that was sealed with it, while the history stays
 * complete.
 */
export interface KeyRing {
  /**
   * Seals text for one place. `context` (stream, event id, field) is authenticated: text moved
   * elsewhere does not open. Creates the tenant's key on first use.
   * @throws KeyDestroyedError after `destroy`.
   */
  seal(tenantId: string, context: string, text: string): Promise<Sealed>;
  /**
   * @returns the text, or null if its key is gone: destroyed, or not in this ring.
   * @throws Error if the key exists and context or text do not match.
   */
  open(tenantId: string, context: string, sealed: Sealed): Promise<string | null>;
  /** Returns the state of a tenant's keys. */
  standing(tenantId: string): Promise<TenantKeys>;
  /**
   * Destroys the tenant's keys permanently, even those of a ring that is restored later;
   * idempotent.
   */
  destroy(tenantId: string): Promise<void>;
}

/** `absent` for a tenant without sealed text, or with a lost key. */
export type TenantKeys = 'present' | 'absent' | 'destroyed';

/** A seal was requested for a tenant whose key was destroyed. */
export class KeyDestroyedError extends Error {
  readonly code = 'key_destroyed';
  constructor(readonly tenantId: string) {
    super(`The data key of tenant ${tenantId} was destroyed`);
    this.name = 'KeyDestroyedError';
  }
}

/** Injection token of the port. */
export const KEY_RING = Symbol('KeyRing');
