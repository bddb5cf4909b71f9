import { Injectable } from '@nestjs/common';

import type { ReadEvent } from '#event-store';
import { listTenants } from '#read-model';

import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

const TYPES = ['TenantErasureRequested', 'TenantErased'] as const;

/**
 * The tenants whose erasure was requested: no credential of theirs is accepted, whatever is still
 * said of it elsewhere.
 */
@Injectable()
export class ErasedTenants {
  private readonly ids = new Set<string>();
  readonly projection: InMemoryProjection;

  constructor(projections: InMemoryProjections) {
    this.projection = projections.followRows({
      name: 'erased-tenants',
      types: TYPES,
      from: { projection: 'tenants', query: listTenants },
      replace: (rows) => this.replace(rows),
      apply: (event) => this.apply(event),
    });
  }

  get ready(): boolean {
    return this.projection.ready;
  }

  has(tenantId: string): boolean {
    return this.ids.has(tenantId);
  }

  private replace(tenants: Awaited<ReturnType<typeof listTenants>>): void {
    this.ids.clear();
    for (const { id, erasure_requested_at } of tenants)
      if (erasure_requested_at !== null) this.ids.add(id);
  }

  private apply({ tenant_id }: ReadEvent<(typeof TYPES)[number]>): void {
    this.ids.add(tenant_id);
  }
}
