import { Inject, Injectable } from '@nestjs/common';

import type { Position, RecordedEvent } from '#contracts';
import { readEvent } from '#event-store';
import { listKnownLinks } from '#read-model';
import { type LinkedPackages, NO_LINKS } from '#search';

import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

/** The packages that each tenant links: a search reads no engine for it. */
@Injectable()
export class KnownLinks {
  private readonly byTenant = new Map<string, LinkedPackages>();
  readonly projection: InMemoryProjection;

  constructor(
    projections: InMemoryProjections,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {
    this.projection = projections.keep({
      name: 'package-links',
      types: ['PackageLinked', 'PackageUnlinked'],
      load: () => this.load(),
      apply: (event) => this.apply(event),
    });
  }

  of(tenantId: string): LinkedPackages {
    return this.byTenant.get(tenantId) ?? NO_LINKS;
  }

  private async load(): Promise<Position | 'start'> {
    const { rows: links, position } = await this.readModel.asOf('package_links', listKnownLinks);
    this.byTenant.clear();
    for (const link of links) this.put(link.tenant_id, link.package_id, link.linked, link.position);
    return position ?? 'start';
  }

  private apply(recorded: RecordedEvent): void {
    const event = readEvent(recorded);
    if (event?.type !== 'PackageLinked' && event?.type !== 'PackageUnlinked') return;
    const { metadata, position } = recorded;
    this.put(metadata.tenant_id, event.data.package_id, event.type === 'PackageLinked', position);
  }

  private put(tenantId: string, packageId: string, linked: boolean, at: Position): void {
    const packages = new Set(this.of(tenantId).packages);
    if (linked) packages.add(packageId);
    else packages.delete(packageId);
    this.byTenant.set(tenantId, { packages, at });
  }
}
