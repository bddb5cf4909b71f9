import type { EntityManager } from 'typeorm';

import type { SourceType } from '#contracts';
import type { SourceView } from '#contracts/http/index';

import { sourcesTable, type SourceStatus, type SourcesRow } from '../tables/sources.table.js';
import type { Page } from './page.js';

export interface ListSources extends Page {
  readonly source_type?: SourceType;
  readonly status?: SourceStatus;
}

/** Newest first. The tenant stands in the filter although row-level security would see to it. */
export async function listSources(
  manager: EntityManager,
  tenantId: string,
  { skip, limit, source_type, status }: ListSources,
): Promise<{ sources: SourceView[]; total: number }> {
  const [rows, total] = await manager.findAndCount(sourcesTable.entity, {
    where: { tenant_id: tenantId, ...(source_type ? { source_type } : {}), ...(status ? { status } : {}) },
    order: { position: 'DESC' },
    skip,
    take: limit,
  });
  return { sources: rows.map(sourceView), total };
}

export async function getSource(
  manager: EntityManager,
  tenantId: string,
  sourceId: string,
): Promise<SourceView | null> {
  const row = await manager.findOneBy(sourcesTable.entity, { tenant_id: tenantId, source_id: sourceId });
  return row ? sourceView(row) : null;
}

function sourceView(row: SourcesRow): SourceView {
  const { source_type, url, include_patterns, exclude_patterns, ...particular } = row.definition;
  return {
    id: row.source_id,
    name: row.name,
    source_type,
    status: row.status,
    url,
    ...(particular as Partial<SourceView>),
    include_patterns,
    exclude_patterns,
    file_count: row.file_count,
    chunk_count: row.chunk_count,
    version_ref: row.version_ref,
    last_job_id: row.last_job_id,
    last_error: row.last_error,
    ...(row.last_sync_completed ? { last_sync_completed: row.last_sync_completed } : {}),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
