import { Injectable } from '@nestjs/common';

import { keepScipUploads, type ScipUpload, usedScipUploads, withoutScipNames } from '#contracts';
import type { ReadEvent } from '#event-store';
import { listScipUploads } from '#read-model';

import { ErasedTenants } from '../auth/erased-tenants.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';

const TYPES = ['SourceScipUploaded', 'SourceScipRemoved', 'SourceRemoved'] as const;

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

  /** Reports whether a source had the table of a blob and keeps it no longer. */
  hasDropped(tenantId: string, sourceId: string, blob: string): boolean {
    const kept = this.kept.get(keyOf(tenantId, sourceId));
    return kept !== undefined && !kept.some((upload) => upload.blob === blob);
  }

  /** Returns the uploads of a source that are used: the newest of each name. */
  usedOf(tenantId: string, sourceId: string): readonly ScipUpload[] {
    return usedScipUploads(this.of(tenantId, sourceId));
  }

  private apply(event: ReadEvent<(typeof TYPES)[number]>): void {
    const key = keyOf(event.tenant_id, event.data.source_id);
    const kept = this.kept.get(key) ?? [];
    if (event.type === 'SourceRemoved') this.kept.delete(key);
    else if (event.type === 'SourceScipRemoved')
      this.kept.set(key, withoutScipNames(kept, event.data.names));
    else this.kept.set(key, keepScipUploads(kept, event.data.scip));
  }
}

function keyOf(tenantId: string, sourceId: string): string {
  return `${tenantId}/${sourceId}`;
}
