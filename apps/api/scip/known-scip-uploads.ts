import { Injectable } from '@nestjs/common';

import { keepScipUploads, type ScipUpload, usedScipUploads } from '#contracts';
import type { ReadEvent } from '#event-store';
import { listScipUploads } from '#read-model';

import { ErasedTenants } from '../auth/erased-tenants.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

const TYPES = ['SourceScipUploaded', 'SourceRemoved'] as const;

/** The kept uploads of SCIP indexes of every source of every tenant. */
@Injectable()
export class KnownScipUploads {
  /** By tenant and source. */
  private readonly kept = new Map<string, readonly ScipUpload[]>();
  readonly projection: InMemoryProjection;

  constructor(
    projections: InMemoryProjections,
    private readonly erased: ErasedTenants,
  ) {
    this.projection = projections.followRows({
      name: 'scip-uploads',
      types: TYPES,
      from: { projection: 'sources', query: listScipUploads },
      replace: (rows) => {
        this.kept.clear();
        for (const row of rows) this.kept.set(keyOf(row.tenant_id, row.source_id), row.scip);
      },
      apply: (event) => this.apply(event),
    });
  }

  /** Returns the kept uploads of a source, the newest first. */
  of(tenantId: string, sourceId: string): readonly ScipUpload[] {
    return this.erased.has(tenantId) ? [] : (this.kept.get(keyOf(tenantId, sourceId)) ?? []);
  }

  /** Returns the uploads of a source that are used: the newest of each name. */
  usedOf(tenantId: string, sourceId: string): readonly ScipUpload[] {
    return usedScipUploads(this.of(tenantId, sourceId));
  }

  private apply(event: ReadEvent<(typeof TYPES)[number]>): void {
    const key = keyOf(event.tenant_id, event.data.source_id);
    if (event.type === 'SourceRemoved') this.kept.delete(key);
    else this.kept.set(key, keepScipUploads(this.kept.get(key) ?? [], event.data.scip));
  }
}

function keyOf(tenantId: string, sourceId: string): string {
  return `${tenantId}/${sourceId}`;
}
