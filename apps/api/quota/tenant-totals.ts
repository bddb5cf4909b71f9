import { Inject, Injectable } from '@nestjs/common';

import { limitsOf, type Position, type QuotaUsage, type RecordedEvent } from '#contracts';
import { refuseOverTotal, totalUsage } from '#domain';
import { readEvent } from '#event-store';

import { READ_MODEL, type ApiReadModel } from '../engines/engines.js';
import type { InMemoryProjection } from '../in-memory/in-memory-projection.js';
import { InMemoryProjections } from '../in-memory/in-memory-projections.js';
import { TenantPlans } from './tenant-plans.js';

/** How long a registration is waited for, milliseconds. */
const SEEN_WITHIN_MS = 2_000;

interface CountedSource {
  /** Whether its tenant may find it: only those count as sources; whatever it is for, its chunks count. */
  readonly own: boolean;
  readonly chunks: number;
}

/** What a tenant has. */
interface Holdings {
  readonly sources: Map<string, CountedSource>;
  /** Sources that this process is registering. */
  readonly pending: Set<string>;
}

/**
 * How many sources and chunks each tenant has, in memory, and what its plan says to one source more. Exact in one process, also
 * where many register at once; of several processes each lets through what it has not heard of from the others.
 */
@Injectable()
export class TenantTotals {
  private readonly byTenant = new Map<string, Holdings>();
  readonly projection: InMemoryProjection;

  constructor(
    projections: InMemoryProjections,
    @Inject(READ_MODEL) private readonly readModel: ApiReadModel,
    private readonly plans: TenantPlans,
  ) {
    this.projection = projections.keep({
      name: 'tenant-totals',
      types: ['SourceRegistered', 'SourceRemoved', 'JobCompleted'],
      load: () => this.load(),
      apply: (event) => this.apply(event),
    });
  }

  usage(tenantId: string): QuotaUsage[] {
    const plan = this.plans.of(tenantId);
    const { sources, pending } = this.of(tenantId);
    const chunks = [...sources.values()].reduce((sum, source) => sum + source.chunks, 0);
    return [
      ...limitsOf(plan, 'sources').map((limit) => totalUsage(limit, countOf(sources, pending))),
      ...limitsOf(plan, 'chunks').map((limit) => totalUsage(limit, chunks)),
    ];
  }

  /**
   * Registers a source.
   * @param work registers it, and calls `admit` when it is sure to be a new one: that throws FootnoteError `quota_exceeded`.
   */
  async registering<Result extends { readonly position: Position | null }>(
    tenantId: string,
    sourceId: string,
    work: (admit: () => void) => Promise<Result>,
  ): Promise<Result> {
    const { sources, pending } = this.of(tenantId);
    const admit = () => {
      if (sources.has(sourceId) || pending.has(sourceId)) return;
      const [limit] = limitsOf(this.plans.of(tenantId), 'sources');
      refuseOverTotal(limit, countOf(sources, pending), 1);
      pending.add(sourceId);
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
    const known = this.byTenant.get(tenantId) ?? { sources: new Map(), pending: new Set() };
    this.byTenant.set(tenantId, known);
    return known;
  }

  private async load(): Promise<Position | 'start'> {
    const { sources, position } = await this.readModel.registeredSources();
    for (const holdings of this.byTenant.values()) holdings.sources.clear();
    for (const { tenant_id, source_id, audience, chunk_count } of sources) {
      this.of(tenant_id).sources.set(source_id, { own: audience.kind === 'tenant', chunks: chunk_count });
    }
    return position ?? 'start';
  }

  private apply(recorded: RecordedEvent): void {
    const event = readEvent(recorded);
    const { sources } = this.of(recorded.metadata.tenant_id);
    if (event?.type === 'SourceRegistered') {
      const own = (event.data.audience?.kind ?? 'tenant') === 'tenant';
      sources.set(event.data.source_id, sources.get(event.data.source_id) ?? { own, chunks: 0 });
    } else if (event?.type === 'SourceRemoved') {
      sources.delete(event.data.source_id);
    } else if (event?.type === 'JobCompleted') {
      const known = sources.get(event.data.source_id);
      if (known) sources.set(event.data.source_id, { ...known, chunks: event.data.chunk_count });
    }
  }
}

function countOf(sources: ReadonlyMap<string, CountedSource>, pending: ReadonlySet<string>): number {
  let count = 0;
  for (const { own } of sources.values()) if (own) count += 1;
  for (const id of pending) if (!sources.has(id)) count += 1;
  return count;
}
