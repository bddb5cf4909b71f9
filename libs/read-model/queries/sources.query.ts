import { type EntityManager, In } from 'typeorm';

import { JOB_MESSAGES, shownDefinition, type SourceStatus, type SourceType } from '#contracts';
import type { SourceView } from '#contracts/http/index';

import { SCHEMA } from '../schema.js';
import { generationsTable } from '../tables/generations.table.js';
import { jobsTable } from '../tables/jobs.table.js';
import { type SourcesRow, sourcesTable } from '../tables/sources.table.js';
import { listContentGaps } from './content-gaps.query.js';
import { FOUND_BY_TENANT, foundByTenant } from './found-by-tenant.js';
import { getGeneration } from './generations.query.js';
import type { Page } from './page.js';

export interface ListSources extends Page {
  readonly source_type?: SourceType;
  readonly status?: SourceStatus;
}

/** SQL for: content of the live generation is missing, according to the index projection. */
const HAS_GAP = `exists (
  select from ${SCHEMA}.${generationsTable.name} g
   where g.tenant_id = source.tenant_id and g.source_id = source.source_id and g.generation = source.live_generation
     and (g.state = 'failed' or (g.state = 'ready' and g.message is not null)))`;

/**
 * The shown status of a source. A source with missing content that is not syncing shows `error`.
 */
const SHOWN_STATUS = `case when source.status <> 'syncing' and ${HAS_GAP} then 'error' else source.status end`;

/** `doc_urls` can have 64 KiB per source, so that a page of a list would have megabytes. */
const LISTED_COLUMNS = Object.keys(sourcesTable.columns).filter((column) => column !== 'doc_urls');

/**
 * Returns sources that the whole tenant may find, newest first. The filter names the tenant
 * although row-level security applies too.
 */
export async function listSources(
  manager: EntityManager,
  tenantId: string,
  { skip, limit, source_type, status }: ListSources,
): Promise<{ sources: SourceView[]; total: number }> {
  const query = manager
    .createQueryBuilder(sourcesTable.entity, 'source')
    .where('source.tenant_id = :tenantId', { tenantId })
    .andWhere(foundByTenant('source.audience'));
  if (source_type) query.andWhere('source.source_type = :source_type', { source_type });
  if (status) query.andWhere(`${SHOWN_STATUS} = :status`, { status });
  query.select(LISTED_COLUMNS.map((column) => `source.${column}`));
  const [rows, total] = await query
    .orderBy('source.position', 'DESC')
    .skip(skip)
    .take(limit)
    .getManyAndCount();
  const gaps = rows.length === 0 ? [] : await listContentGaps(manager, tenantId);
  const messages = new Map(gaps.map((gap) => [`${gap.source_id}/${gap.generation}`, gap.message]));
  const messageOf = ({ source_id, live_generation }: SourcesRow) =>
    messages.get(`${source_id}/${live_generation}`);
  const syncs = await syncMessages(manager, tenantId, rows);
  return {
    sources: rows.map((row) => sourceView({ ...row, doc_urls: null }, syncs, messageOf(row))),
    total,
  };
}

/** Returns a source; null also if the tenant has it for another audience. */
export async function getSource(
  manager: EntityManager,
  tenantId: string,
  sourceId: string,
): Promise<SourceView | null> {
  const wanted = { tenant_id: tenantId, source_id: sourceId, audience: FOUND_BY_TENANT };
  const row = await manager.findOneBy(sourcesTable.entity, wanted);
  if (!row) return null;
  const live =
    row.live_generation && (await getGeneration(manager, tenantId, sourceId, row.live_generation));
  const gap = live && (live.state === 'failed' || live.state === 'ready') ? live.message : null;
  return sourceView(row, await syncMessages(manager, tenantId, [row]), gap ?? undefined);
}

/** Returns the messages of the jobs of syncing sources, by job id. */
async function syncMessages(
  manager: EntityManager,
  tenantId: string,
  rows: readonly SourcesRow[],
): Promise<ReadonlyMap<string, string>> {
  const ids = rows.flatMap(({ status, last_job_id }) =>
    status === 'syncing' && last_job_id ? [last_job_id] : [],
  );
  if (ids.length === 0) return new Map();
  const jobs = await manager.find(jobsTable.entity, {
    select: { job_id: true, progress_message: true },
    where: { tenant_id: tenantId, job_id: In(ids) },
  });
  return new Map(jobs.map(({ job_id, progress_message }) => [job_id, progress_message]));
}

/**
 * Returns a source as the API shows it.
 * @param syncs messages of the jobs of syncing sources.
 * @param gap description of missing content, if any.
 */
export function sourceView(
  row: SourcesRow,
  syncs: ReadonlyMap<string, string>,
  gap?: string,
): SourceView {
  return {
    id: row.source_id,
    name: row.name,
    ...shownDefinition(row.definition),
    ...(row.doc_urls === null ? {} : { doc_urls: row.doc_urls }),
    ...(row.doc_url_count === null ? {} : { doc_url_count: row.doc_url_count }),
    status: gap !== undefined && row.status !== 'syncing' ? 'error' : row.status,
    ...(row.definition.source_type === 'repo' ? { has_credentials: row.has_credentials } : {}),
    file_count: row.file_count,
    chunk_count: row.chunk_count,
    version_ref: row.version_ref,
    last_job_id: row.last_job_id,
    last_error: lastError(row.last_error, gap),
    sync_message:
      row.status === 'syncing' ? (syncs.get(row.last_job_id ?? '') ?? JOB_MESSAGES.queued) : null,
    sync_interval_seconds: row.sync_interval_seconds,
    next_sync_at: row.next_sync_at,
    has_push_hook: row.has_push_hook,
    ...(row.last_sync_completed ? { last_sync_completed: row.last_sync_completed } : {}),
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}

/** Combines gap and failure: a sync that failed since explains why the content is not back yet. */
function lastError(failure: string | null, gap: string | undefined): string | null {
  if (gap === undefined) return failure;
  return failure === null ? gap : `${gap} The last sync failed: ${failure}`;
}
