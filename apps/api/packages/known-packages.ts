import { Inject, Injectable } from '@nestjs/common';

import type { Position, RecordedEvent } from '#contracts';
import { readEvent } from '#event-store';
import { listHeldPackages } from '#read-model';

import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

/** Location of the content of a package. */
export interface HeldContent {
  /** Tenant that owns the package. */
  readonly ownerTenantId: string;
  readonly sourceId: string;
}

/** The packages with stored content, by id: as many as the cache and the links allow. */
@Injectable()
export class KnownPackages {
  private readonly held = new Map<string, HeldContent>();
  readonly projection: InMemoryProjection;

  constructor(
    projections: InMemoryProjections,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {
    this.projection = projections.keep({
      name: 'packages',
      types: ['PackageRegistered', 'PackageRestored', 'PackageDropped'],
      load: () => this.load(),
      apply: (event) => this.apply(event),
    });
  }

  get(packageId: string): HeldContent | undefined {
    return this.held.get(packageId);
  }

  private async load(): Promise<Position | 'start'> {
    const { rows: packages, position } = await this.readModel.asOf('packages', listHeldPackages);
    this.held.clear();
    for (const { tenant_id: ownerTenantId, package_id, source_id: sourceId } of packages) {
      this.held.set(package_id, { ownerTenantId, sourceId });
    }
    return position ?? 'start';
  }

  private apply(recorded: RecordedEvent): void {
    const event = readEvent(recorded);
    if (event?.type === 'PackageRegistered' || event?.type === 'PackageRestored') {
      const { package_id, source_id: sourceId } = event.data;
      this.held.set(package_id, { ownerTenantId: recorded.metadata.tenant_id, sourceId });
    } else if (event?.type === 'PackageDropped') {
      const { package_id, source_id } = event.data;
      if (this.held.get(package_id)?.sourceId === source_id) this.held.delete(package_id);
    }
  }
}
