import type { KeyScope } from '#contracts';

/** Who a request speaks for, as its credentials proved. */
export interface Principal {
  readonly tenantId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly scopes: readonly KeyScope[];
  /** When the credentials end, milliseconds since the epoch; null for never. */
  readonly expiresAt: number | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on every route that is not public. */
    principal?: Principal;
  }
}
