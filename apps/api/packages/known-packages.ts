import { Injectable } from '@nestjs/common';

import type { ReadEvent } from '#event-store';
import { listHeldPackages } from '#read-model';

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
  private readonly held = new Map<string, HeldContent>();
  readonly projection: InMemoryProjection;

  constructor(projections: InMemoryProjections) {
    this.projection = projections.followRows({
      name: 'packages',
      types: TYPES,
      from: { projection: 'packages', query: listHeldPackages },
      replace: (rows) => this.replace(rows),
      apply: (event) => this.apply(event),
    });
  }

  get(packageId: string): HeldContent | undefined {
    return this.held.get(packageId);
  }

  private replace(packages: Awaited<ReturnType<typeof listHeldPackages>>): void {
    this.held.clear();
    for (const { tenant_id: ownerTenantId, package_id, source_id: sourceId } of packages) {
      this.held.set(package_id, { ownerTenantId, sourceId });
    }
  }

  private apply(event: ReadEvent<(typeof TYPES)[number]>): void {
    if (event.type === 'PackageRegistered' || event.type === 'PackageRestored') {
      const { package_id, source_id: sourceId } = event.data;
      this.held.set(package_id, { ownerTenantId: event.tenant_id, sourceId });
    } else if (event.type === 'PackageDropped') {
      const { package_id, source_id } = event.data;
      if (this.held.get(package_id)?.sourceId === source_id) this.held.delete(package_id);
    }
  }
}
