import type { Actor, KeyScope, Role } from '#contracts';

interface Speaker {
  readonly tenantId: string;
  /** Its name in events. */
  readonly actor: Actor;
  readonly scopes: readonly KeyScope[];
  /** End of the credentials, milliseconds since the epoch; null for never. */
  readonly expiresAt: number | null;
}

export interface KeyPrincipal extends Speaker {
  readonly kind: 'api_key';
  readonly keyId: string;
}

/**
 * A signed-in person. Its actor has no name: what events say of people in the clear could never be
 * erased.
 */
export interface UserPrincipal extends Speaker {
  readonly kind: 'user';
  readonly userId: string;
  readonly role: Role;
  readonly sessionId: string;
  readonly sessionEpoch: number;
  readonly expiresAt: number;
}

/** The principal that the credentials of a request proved. */
export type Principal = KeyPrincipal | UserPrincipal;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on every route that is not public. */
    principal?: Principal;
    /** The principal that valid credentials prove, also where the guard rejects the request. */
    identified?: Principal;
  }
}
