import { Injectable } from '@nestjs/common';

import { listTenants } from '#read-model';

import { InMemoryMap } from '../in-memory/in-memory-map.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

const TYPES = ['TenantErasureRequested', 'TenantErased'] as const;

/**
 * The tenants whose erasure was requested: no credential of theirs is accepted, whatever is still
 * said of it elsewhere.
 */
@Injectable()
export class ErasedTenants {
  private readonly requested;
  readonly projection: InMemoryProjection;

  constructor(projections: InMemoryProjections) {
    this.requested = new InMemoryMap(projections, {
      name: 'erased-tenants',
      types: TYPES,
      from: { projection: 'tenants', query: listTenants },
      add: ({ id, erasure_requested_at }, requested: Map<string, true>) =>
        erasure_requested_at !== null && requested.set(id, true),
      apply: ({ tenant_id }, requested) => requested.set(tenant_id, true),
    });
    this.projection = this.requested.projection;
  }

  get ready(): boolean {
    return this.projection.ready;
  }

  has(tenantId: string): boolean {
    return this.requested.has(tenantId);
  }
}
