import { Injectable } from '@nestjs/common';

import {
  keepScipUploads,
  limitsOf,
  type Position,
  type QuotaUsage,
  scipBytes,
  type ScipUpload,
  withoutScipNames,
} from '#contracts';
import { refuseOverTotal, totalUsage } from '#domain';
import type { ReadEvent } from '#event-store';
import { listRegisteredSources } from '#read-model';

import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';
import { TenantPlans } from './tenant-plans.js';

/** Time limit of the wait for a registration, milliseconds. */
const SEEN_WITHIN_MS = 2_000;

interface CountedSource {
  /**
   * True if its tenant may find it: only those count as sources; the chunks of every source count.
   */
  readonly own: boolean;
  readonly chunks: number;
  /** Bytes of its uploaded file, its live generation and its SCIP indexes. */
  readonly bytes: number;
  readonly upload: number;
  /** Kept uploads of SCIP indexes. */
  readonly scip: readonly ScipUpload[];
}

/** A source that is about to be registered. */
export interface PendingSource {
  /** As in {@link CountedSource}. */
  readonly own: boolean;
  /** Bytes of the uploaded file; 0 without one. */
  readonly bytes: number;
}

/** Totals of a tenant. */
interface Holdings {
  readonly sources: Map<string, CountedSource>;
  /** Sources that this process is registering. */
  readonly pending: Map<string, PendingSource>;
}

const TYPES = [
  'SourceRegistered',
  'SourceScipUploaded',
  'SourceScipRemoved',
  'SourceRemoved',
  'JobCompleted',
] as const;

/**
 * Counts the sources, chunks and bytes of each tenant, in memory, and decides whether its plan
 * allows one source more. Exact in one process, also where many register at once. With several
 * processes, each ignores registrations of the others that it has not received yet.
 */
@Injectable()
export class TenantTotals {
  private readonly byTenant = new Map<string, Holdings>();
  readonly projection: InMemoryProjection;

  constructor(
    projections: InMemoryProjections,
    private readonly plans: TenantPlans,
  ) {
    this.projection = projections.followRows({
      name: 'tenant-totals',
      types: TYPES,
      from: { projection: 'sources', query: listRegisteredSources },
      replace: (rows) => this.replace(rows),
      apply: (event) => this.apply(event),
    });
  }

  usage(tenantId: string): QuotaUsage[] {
    const plan = this.plans.of(tenantId);
    const { sources, pending } = this.of(tenantId);
    const chunks = [...sources.values()].reduce((sum, source) => sum + source.chunks, 0);
    const bytes = bytesOf(sources, pending);
    return [
      ...limitsOf(plan, 'sources').map((limit) => totalUsage(limit, countOf(sources, pending))),
      ...limitsOf(plan, 'chunks').map((limit) => totalUsage(limit, chunks)),
      ...limitsOf(plan, 'bytes').map((limit) => totalUsage(limit, bytes)),
    ];
  }

  /**
   * Registers a source.
   * @param work registers it, and calls `admit` when it is sure to be a new one: that throws
   * FootnoteError `quota_exceeded`.
   */
  async registering<Result extends { readonly position: Position | null }>(
    tenantId: string,
    sourceId: string,
    source: PendingSource,
    work: (admit: () => void) => Promise<Result>,
  ): Promise<Result> {
    const { sources, pending } = this.of(tenantId);
    const admit = () => {
      if (sources.has(sourceId) || pending.has(sourceId)) return;
      const plan = this.plans.of(tenantId);
      // Among sources count those alone that the tenant may find.
      if (source.own) refuseOverTotal(limitsOf(plan, 'sources')[0], countOf(sources, pending), 1);
      // A source without content yet needs a byte: of a full plan nothing is registered.
      refuseOverTotal(
        limitsOf(plan, 'bytes')[0],
        bytesOf(sources, pending),
        Math.max(1, source.bytes),
      );
      pending.set(sourceId, source);
    };
    try {
      const result = await work(admit);
      // It counts as pending until it counts as registered.
      if (pending.has(sourceId) && result.position !== null) {
        await this.projection.waitFor(result.position, SEEN_WITHIN_MS);
      }
      return result;
    } finally {
      pending.delete(sourceId);
    }
  }

  private of(tenantId: string): Holdings {
    const known = this.byTenant.get(tenantId) ?? { sources: new Map(), pending: new Map() };
    this.byTenant.set(tenantId, known);
    return known;
  }

  private replace(sources: Awaited<ReturnType<typeof listRegisteredSources>>): void {
    for (const holdings of this.byTenant.values()) holdings.sources.clear();
    for (const {
      tenant_id,
      source_id,
      audience,
      chunk_count,
      stored_bytes,
      upload_bytes,
      scip,
    } of sources) {
      if (audience.kind === 'research') continue;
      const own = audience.kind === 'tenant';
      const sizes = { chunks: chunk_count, bytes: stored_bytes, upload: upload_bytes };
      this.of(tenant_id).sources.set(source_id, { own, ...sizes, scip: scip ?? [] });
    }
  }

  private apply(event: ReadEvent<(typeof TYPES)[number]>): void {
    const { sources } = this.of(event.tenant_id);
    if (event.type === 'SourceRegistered') {
      // No plan counts the temporary sources of rover jobs.
      if (event.data.audience?.kind === 'research') return;
      const own = (event.data.audience?.kind ?? 'tenant') === 'tenant';
      const upload = event.data.definition.upload?.bytes ?? 0;
      const counted = { own, chunks: 0, bytes: upload, upload, scip: [] };
      sources.set(event.data.source_id, sources.get(event.data.source_id) ?? counted);
    } else if (event.type === 'SourceRemoved') {
      sources.delete(event.data.source_id);
    } else if (event.type === 'SourceScipUploaded') {
      const { source_id, scip } = event.data;
      const known = sources.get(source_id);
      if (known) sources.set(source_id, withScip(known, keepScipUploads(known.scip, scip)));
    } else if (event.type === 'SourceScipRemoved') {
      const { source_id, names } = event.data;
      const known = sources.get(source_id);
      if (known) sources.set(source_id, withScip(known, withoutScipNames(known.scip, names)));
    } else if (event.type === 'JobCompleted') {
      const known = sources.get(event.data.source_id);
      const { source_id, chunk_count: chunks, bytes } = event.data;
      if (!known) return;
      sources.set(source_id, {
        ...known,
        chunks,
        bytes: bytes === undefined ? known.bytes : bytes + known.upload + scipBytes(known.scip),
      });
    }
  }
}

function withScip(source: CountedSource, scip: readonly ScipUpload[]): CountedSource {
  return { ...source, scip, bytes: source.bytes - scipBytes(source.scip) + scipBytes(scip) };
}

type Sources = ReadonlyMap<string, CountedSource>;
type Pending = ReadonlyMap<string, PendingSource>;

function countOf(sources: Sources, pending: Pending): number {
  let count = 0;
  for (const { own } of sources.values()) if (own) count += 1;
  for (const [id, { own }] of pending) if (own && !sources.has(id)) count += 1;
  return count;
}

function bytesOf(sources: Sources, pending: Pending): number {
  let sum = 0;
  for (const { bytes } of sources.values()) sum += bytes;
  for (const [id, { bytes }] of pending) if (!sources.has(id)) sum += bytes;
  return sum;
}
