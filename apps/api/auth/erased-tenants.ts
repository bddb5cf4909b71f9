import { Inject, Injectable } from '@nestjs/common';

import type { Position, RecordedEvent } from '#contracts';
import { listTenants } from '#read-model';

import { type ApiReadModel, READ_MODEL } from '../engines/engines.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

/**
 * The tenants whose erasure was requested: no credential of theirs is accepted, whatever is still
 * said of it elsewhere.
 */
@Injectable()
export class ErasedTenants {
  private readonly ids = new Set<string>();
  readonly projection: InMemoryProjection;

  constructor(
    projections: InMemoryProjections,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
  ) {
    this.projection = projections.keep({
      name: 'erased-tenants',
      types: ['TenantErasureRequested', 'TenantErased'],
      load: () => this.load(),
      apply: (event) => this.apply(event),
    });
  }

  get ready(): boolean {
    return this.projection.ready;
  }

  has(tenantId: string): boolean {
    return this.ids.has(tenantId);
  }

  private async load(): Promise<Position | 'start'> {
    const { rows: tenants, position } = await this.readModel.asOf('tenants', listTenants);
    this.ids.clear();
    for (const { id, erasure_requested_at } of tenants)
      if (erasure_requested_at !== null) this.ids.add(id);
    return position ?? 'start';
  }

  private apply({ metadata }: RecordedEvent): void {
    this.ids.add(metadata.tenant_id);
  }
}
