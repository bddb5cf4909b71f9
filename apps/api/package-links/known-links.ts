import { Injectable } from '@nestjs/common';

import type { Position } from '#contracts';
import type { ReadEvent } from '#event-store';
import { listKnownLinks } from '#read-model';
import { type LinkedPackages, NO_LINKS } from '#search';

import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

const TYPES = ['PackageLinked', 'PackageUnlinked'] as const;

/** The packages that each tenant links: a search reads no engine for it. */
@Injectable()
export class KnownLinks {
  private readonly byTenant = new Map<string, LinkedPackages>();
  readonly projection: InMemoryProjection;

  constructor(projections: InMemoryProjections) {
    this.projection = projections.followRows({
      name: 'package-links',
      types: TYPES,
      from: { projection: 'package_links', query: listKnownLinks },
      replace: (rows) => this.replace(rows),
      apply: (event) => this.apply(event),
    });
  }

  of(tenantId: string): LinkedPackages {
    return this.byTenant.get(tenantId) ?? NO_LINKS;
  }

  private replace(links: Awaited<ReturnType<typeof listKnownLinks>>): void {
    this.byTenant.clear();
    for (const link of links) this.put(link.tenant_id, link.package_id, link.linked, link.position);
  }

  private apply(event: ReadEvent<(typeof TYPES)[number]>): void {
    const { type, data, tenant_id, position } = event;
    this.put(tenant_id, data.package_id, type === 'PackageLinked', position);
  }

  private put(tenantId: string, packageId: string, linked: boolean, at: Position): void {
    const packages = new Set(this.of(tenantId).packages);
    if (linked) packages.add(packageId);
    else packages.delete(packageId);
    this.byTenant.set(tenantId, { packages, at });
  }
}
