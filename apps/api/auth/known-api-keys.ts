import { timingSafeEqual } from 'node:crypto';

import { Inject, Injectable } from '@nestjs/common';

import type { KeyScope } from '#contracts';
import type { ReadEvent } from '#event-store';
import { apiKeyDigest, CLOCK, type Clock } from '#platform';
import { listActiveApiKeys } from '#read-model';

import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';
import { ErasedTenants } from './erased-tenants.js';
import { KeyUsage } from './key-usage.js';
import type { KeyPrincipal } from './principal.js';

interface KnownKey {
  readonly principal: KeyPrincipal;
  readonly digest: Buffer;
}

const TYPES = ['ApiKeyIssued', 'ApiKeyRevoked', 'ApiKeyUsed'] as const;

/** Every live API key of every tenant, by digest: authentication reads no engine. */
@Injectable()
export class KnownApiKeys {
  private readonly byDigest = new Map<string, KnownKey>();
  private readonly digestOf = new Map<string, string>();
  readonly projection: InMemoryProjection;

  constructor(
    projections: InMemoryProjections,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly usage: KeyUsage,
    private readonly erased: ErasedTenants,
  ) {
    this.projection = projections.followRows({
      name: 'api-keys',
      types: TYPES,
      from: { projection: 'api_keys', query: listActiveApiKeys },
      replace: (rows) => this.replace(rows),
      apply: (event) => this.apply(event),
    });
  }

  get ready(): boolean {
    return this.projection.ready && this.erased.ready;
  }

  /**
   * Returns the principal of a secret; null when it is unknown, revoked or expired, or its tenant
   * is erased.
   */
  principalOf(secret: string): KeyPrincipal | null {
    const digest = apiKeyDigest(secret);
    const known = this.byDigest.get(digest);
    if (!known || !timingSafeEqual(known.digest, Buffer.from(digest, 'hex'))) return null;
    return this.isOver(known.principal) ? null : known.principal;
  }

  /**
   * Returns whether a key is neither revoked nor expired, nor its tenant erased. For work that
   * continues after its request was accepted.
   */
  isLive(keyId: string): boolean {
    const known = this.byDigest.get(this.digestOf.get(keyId) ?? '');
    return known !== undefined && !this.isOver(known.principal);
  }

  /** Returns the principals of a tenant's keys that are neither revoked nor expired. */
  liveOf(tenantId: string): KeyPrincipal[] {
    return [...this.byDigest.values()].flatMap(({ principal }) =>
      principal.tenantId === tenantId && !this.isOver(principal) ? [principal] : [],
    );
  }

  /** Refuses a key from now on; its revocation is in the log. */
  forget(keyId: string): void {
    const digest = this.digestOf.get(keyId);
    if (digest !== undefined) this.byDigest.delete(digest);
    this.digestOf.delete(keyId);
    this.usage.known(keyId, null);
  }

  private isOver({ tenantId, expiresAt }: KeyPrincipal): boolean {
    if (this.erased.has(tenantId)) return true;
    return expiresAt !== null && expiresAt <= this.clock.now().getTime();
  }

  private replace(keys: Awaited<ReturnType<typeof listActiveApiKeys>>): void {
    this.byDigest.clear();
    this.digestOf.clear();
    for (const key of keys) {
      this.add({ ...key, tenantId: key.tenant_id, keyId: key.key_id });
      if (key.last_used_at !== null) this.usage.known(key.key_id, key.last_used_at);
    }
  }

  private apply(event: ReadEvent<(typeof TYPES)[number]>): void {
    if (event.type === 'ApiKeyIssued') {
      this.add({ ...event.data, tenantId: event.tenant_id, keyId: event.data.key_id });
    } else if (event.type === 'ApiKeyRevoked') {
      this.forget(event.data.key_id);
    } else if (event.type === 'ApiKeyUsed') {
      this.usage.known(event.data.key_id, event.data.used_at);
    }
  }

  private add(key: {
    readonly tenantId: string;
    readonly keyId: string;
    readonly name: string;
    readonly digest: string;
    readonly scopes: readonly KeyScope[];
    readonly expires_at: string | null;
  }): void {
    this.digestOf.set(key.keyId, key.digest);
    const expiresAt = key.expires_at === null ? null : Date.parse(key.expires_at);
    this.byDigest.set(key.digest, {
      principal: {
        kind: 'api_key',
        tenantId: key.tenantId,
        actor: { type: 'api_key', id: key.keyId, name: key.name },
        scopes: [...key.scopes],
        expiresAt,
        keyId: key.keyId,
      },
      digest: Buffer.from(key.digest, 'hex'),
    });
  }
}
