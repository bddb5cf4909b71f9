import { Injectable } from '@nestjs/common';

import type { Position } from '#contracts';
import { listKnownLinks } from '#read-model';
import { type LinkedPackages, NO_LINKS } from '#search';

import { InMemoryMap } from '../in-memory/in-memory-map.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

const TYPES = ['PackageLinked', 'PackageUnlinked'] as const;

/** The packages that each tenant links: a search reads no engine for it. */
@Injectable()
export class KnownLinks {
  private readonly byTenant;
  readonly projection: InMemoryProjection;

  constructor(projections: InMemoryProjections) {
    this.byTenant = new InMemoryMap(projections, {
      name: 'package-links',
      types: TYPES,
      from: { projection: 'package_links', query: listKnownLinks },
      add: (row, known: Map<string, LinkedPackages>) =>
        put(known, row.tenant_id, row.package_id, row.linked, row.position),
      apply: ({ type, data, tenant_id, position }, known) =>
        put(known, tenant_id, data.package_id, type === 'PackageLinked', position),
    });
    this.projection = this.byTenant.projection;
  }

  of(tenantId: string): LinkedPackages {
    return this.byTenant.get(tenantId) ?? NO_LINKS;
  }
}

function put(
  known: Map<string, LinkedPackages>,
  tenantId: string,
  packageId: string,
  linked: boolean,
  at: Position,
): void {
  const packages = new Set((known.get(tenantId) ?? NO_LINKS).packages);
  if (linked) packages.add(packageId);
  else packages.delete(packageId);
  known.set(tenantId, { packages, at });
}
