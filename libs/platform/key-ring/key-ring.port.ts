/** Text sealed with a tenant's data key: which key, and base64 of nonce, ciphertext and tag. */
export type Sealed = string & { readonly __sealed: unique symbol };

/**
 * The data keys of the tenants, wrapped by the master key. Kept and backed up apart from the log:
 * destroying a tenant's key erases everything that was sealed with it, while the history stays
 * whole.
 */
export interface KeyRing {
  /**
   * Seals text for one place. `context` (stream, event id, field) is authenticated: text moved
   * elsewhere does not open. Makes the tenant's key on first use. @throws KeyDestroyedError after
   * `destroy`.
   */
  seal(tenantId: string, context: string, text: string): Promise<Sealed>;
  /**
   * @returns the text, or null when the key that sealed it is gone: destroyed, or not in this ring.
   * @throws Error when the key is there and context or text do not match.
   */
  open(tenantId: string, context: string, sealed: Sealed): Promise<string | null>;
  /** What the ring has of a tenant. */
  standing(tenantId: string): Promise<TenantKeys>;
  /**
   * Destroys the tenant's keys for good, also those of a ring that is put back later; again is
   * harmless.
   */
  destroy(tenantId: string): Promise<void>;
}

/** `absent` for a tenant that nothing was sealed for, or whose key was lost. */
export type TenantKeys = 'present' | 'absent' | 'destroyed';

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
