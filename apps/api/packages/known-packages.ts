import { Injectable } from '@nestjs/common';

import { listHeldPackages } from '#read-model';

import { InMemoryMap } from '../in-memory/in-memory-map.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

/** Location of the content of a package. */
export interface HeldContent {
  /** Tenant that owns the package. */
  readonly ownerTenantId: string;
  readonly sourceId: string;
}

const TYPES = ['PackageRegistered', 'PackageRestored', 'PackageDropped'] as const;

/** The packages with stored content, by id: as many as the cache and the links allow. */
@Injectable()
export class KnownPackages {
  private readonly held;
  readonly projection: InMemoryProjection;

  constructor(projections: InMemoryProjections) {
    this.held = new InMemoryMap(projections, {
      name: 'packages',
      types: TYPES,
      from: { projection: 'packages', query: listHeldPackages },
      add: (
        { tenant_id: ownerTenantId, package_id, source_id: sourceId },
        held: Map<string, HeldContent>,
      ) => held.set(package_id, { ownerTenantId, sourceId }),
      apply: ({ type, data, tenant_id: ownerTenantId }, held) => {
        const { package_id, source_id: sourceId } = data;
        if (type !== 'PackageDropped') held.set(package_id, { ownerTenantId, sourceId });
        else if (held.get(package_id)?.sourceId === sourceId) held.delete(package_id);
      },
    });
    this.projection = this.held.projection;
  }

  get(packageId: string): HeldContent | undefined {
    return this.held.get(packageId);
  }
}
