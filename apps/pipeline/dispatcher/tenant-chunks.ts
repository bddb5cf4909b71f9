import { isReservedTenant, limitsOf, type QuotaPlan } from '#contracts';
import { tenantDecider } from '#domain';
import { type EventStore, foldStream, type RecordedDomainEvent } from '#event-store';
import { type Config, KeyedQueue } from '#platform';

/** Generation that is about to be published. */
export interface ComingGeneration {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly chunks: number;
  /** Bytes of its content; absent if they were not measured. */
  readonly bytes?: number | undefined;
  /** True for a source of rover jobs, which no plan counts. Default: false. */
  readonly isTemporary?: boolean;
}

/** Chunks and bytes of one source, as its tenant's plan counts them. */
interface Held {
  readonly chunks: number;
  readonly bytes: number;
  /** Bytes of the uploaded file, which is stored as long as the source exists. */
  readonly upload: number;
}

/** Line of a snapshot. */
type ChunksLine = readonly [tenantId: string, sourceId: string, held: Held];

export interface TenantChunksDependencies {
  readonly store: Pick<EventStore, 'read'>;
  readonly config: Pick<Config, 'quota'>;
}

/**
 * Chunks and bytes of the sources of each tenant, folded from the log, and the check of a new
 * generation against the plan. Only the leading dispatcher publishes, and one generation per tenant
 * at a time: simultaneous syncs cannot both use the rest of a plan.
 */
export class TenantChunks {
  private readonly byTenant = new Map<string, Map<string, Held>>();
  private readonly turns = new KeyedQueue();

  constructor(private readonly dependencies: TenantChunksDependencies) {}

  apply(event: RecordedDomainEvent): void {
    const { tenant_id: tenantId } = event.metadata;
    if (event.type === 'SourceRegistered' && event.data.audience?.kind !== 'research') {
      const upload = event.data.definition.upload?.bytes ?? 0;
      this.sourcesOf(tenantId).set(event.data.source_id, { chunks: 0, bytes: upload, upload });
    }
    if (event.type === 'SourceRemoved') this.remove(tenantId, event.data.source_id);
    if (event.type === 'JobCompleted') {
      this.note({
        tenantId,
        sourceId: event.data.source_id,
        chunks: event.data.chunk_count,
        bytes: event.data.bytes,
      });
    }
  }

  /** Returns the counts as lines of a snapshot. */
  *save(): Generator<ChunksLine> {
    for (const [tenantId, sources] of this.byTenant)
      for (const [sourceId, held] of sources) yield [tenantId, sourceId, held];
  }

  /** Adds a line that {@link save} returned. */
  load([tenantId, sourceId, held]: ChunksLine): void {
    this.sourcesOf(tenantId).set(sourceId, held);
  }

  clear(): void {
    this.byTenant.clear();
  }

  /**
   * Publishes a generation if the plan allows it.
   * @param publish reports whether it is published: the job may have ended in another way.
   * @param refuse called with the reason if the plan does not allow it.
   */
  async publish(
    coming: ComingGeneration,
    publish: () => Promise<boolean>,
    refuse: (reason: string) => Promise<unknown>,
  ): Promise<void> {
    await this.turns.run(coming.tenantId, async () => {
      // Reserved tenants have no plan.
      const isOfPlan = !isReservedTenant(coming.tenantId) && !coming.isTemporary;
      const reason = isOfPlan
        ? this.reasonToRefuse(coming, await this.planOf(coming.tenantId))
        : null;
      if (reason !== null) return void (await refuse(reason));
      // Counted at once, before its event is delivered: the next in turn depends on it.
      if (await publish()) this.note(coming);
    });
  }

  /** A source that does not grow is published, even if a new plan is smaller than its content. */
  private reasonToRefuse(coming: ComingGeneration, plan: QuotaPlan): string | null {
    const sources = this.byTenant.get(coming.tenantId) ?? new Map<string, Held>();
    const before = sources.get(coming.sourceId) ?? NOTHING;
    const after = held(before, coming);
    for (const metric of ['chunks', 'bytes'] as const) {
      const [limit] = limitsOf(plan, metric);
      const others =
        [...sources.values()].reduce((sum, source) => sum + source[metric], 0) - before[metric];
      const fits =
        after[metric] <= before[metric] || others + after[metric] <= (limit?.limit ?? Infinity);
      if (fits) continue;
      return (
        `The plan ${plan.name} allows ${limit?.limit} ${metric} in all; other sources have ${others}, ` +
        `and this sync would publish ${after[metric]}`
      );
    }
    return null;
  }

  private async planOf(tenantId: string): Promise<QuotaPlan> {
    const { plans, defaultPlan } = this.dependencies.config.quota;
    const { state } = await foldStream(
      this.dependencies.store,
      tenantDecider,
      `tenant-${tenantId}`,
    );
    const name = state.status === 'active' ? state.plan : null;
    const plan =
      (name !== null && Object.hasOwn(plans, name) ? plans[name] : undefined) ?? plans[defaultPlan];
    if (!plan) throw new Error(`The default plan ${defaultPlan} is not configured`);
    return plan;
  }

  /** Notes published content, unless its source is removed. */
  private note(published: ComingGeneration): void {
    const sources = this.byTenant.get(published.tenantId);
    const before = sources?.get(published.sourceId);
    if (before) sources?.set(published.sourceId, held(before, published));
  }

  /** Forgets a tenant with its last source, as a snapshot does. */
  private remove(tenantId: string, sourceId: string): void {
    const sources = this.byTenant.get(tenantId);
    sources?.delete(sourceId);
    if (sources?.size === 0) this.byTenant.delete(tenantId);
  }

  private sourcesOf(tenantId: string): Map<string, Held> {
    const known = this.byTenant.get(tenantId) ?? new Map<string, Held>();
    this.byTenant.set(tenantId, known);
    return known;
  }
}

const NOTHING: Held = { chunks: 0, bytes: 0, upload: 0 };

function held({ bytes: before, upload }: Held, { chunks, bytes }: ComingGeneration): Held {
  return { chunks, bytes: bytes === undefined ? before : upload + bytes, upload };
}
