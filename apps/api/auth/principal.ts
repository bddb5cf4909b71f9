import type { Scope } from '#contracts';

/** Who a request speaks for, as its credentials proved. */
export interface Principal {
  readonly tenantId: string;
  readonly keyId: string;
  readonly keyName: string;
  readonly scopes: readonly Scope[];
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on every route that is not public. */
    principal?: Principal;
  }
}
