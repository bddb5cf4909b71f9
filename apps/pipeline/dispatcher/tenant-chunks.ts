import { isReservedTenant, limitsOf, type QuotaPlan } from '#contracts';
import { tenantDecider } from '#domain';
import { type EventStore, foldStream, type RecordedDomainEvent } from '#event-store';
import { type Config, KeyedQueue } from '#platform';

/** A generation that is about to be published. */
export interface ComingGeneration {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly chunks: number;
  /** Bytes that its content takes; absent where they were not measured. */
  readonly bytes?: number | undefined;
}

/** Chunks and bytes of one source, as its tenant's plan counts them. */
interface Held {
  readonly chunks: number;
  readonly bytes: number;
  /** Bytes of the file that was uploaded, which stay as long as the source. */
  readonly upload: number;
}

export interface TenantChunksDependencies {
  readonly store: Pick<EventStore, 'read'>;
  readonly config: Pick<Config, 'quota'>;
}

/**
 * How many chunks and bytes the sources of each tenant have, folded from the log, and whether its
 * plan has room for another generation. Only the dispatcher that leads publishes, and of one tenant
 * one generation after the other: simultaneous syncs cannot both take the last room.
 */
export class TenantChunks {
  private readonly byTenant = new Map<string, Map<string, Held>>();
  private readonly turns = new KeyedQueue();

  constructor(private readonly dependencies: TenantChunksDependencies) {}

  apply(event: RecordedDomainEvent): void {
    const { tenant_id: tenantId } = event.metadata;
    if (event.type === 'SourceRegistered') {
      const upload = event.data.definition.upload?.bytes ?? 0;
      this.sourcesOf(tenantId).set(event.data.source_id, { chunks: 0, bytes: upload, upload });
    }
    if (event.type === 'SourceRemoved') this.sourcesOf(tenantId).delete(event.data.source_id);
    if (event.type === 'JobCompleted') {
      this.note({
        tenantId,
        sourceId: event.data.source_id,
        chunks: event.data.chunk_count,
        bytes: event.data.bytes,
      });
    }
  }

  /**
   * Publishes a generation where the plan has room for it.
   * @param publish tells whether it is published: a job may have ended otherwise meanwhile.
   * @param refuse is given the reason, in words, where there is no room.
   */
  async publish(
    coming: ComingGeneration,
    publish: () => Promise<boolean>,
    refuse: (reason: string) => Promise<unknown>,
  ): Promise<void> {
    await this.turns.run(coming.tenantId, async () => {
      // What is everybody's or the service's own is under no tenant's plan.
      const isOfPlan = !isReservedTenant(coming.tenantId);
      const reason = isOfPlan
        ? this.reasonToRefuse(coming, await this.planOf(coming.tenantId))
        : null;
      if (reason !== null) return void (await refuse(reason));
      // Known at once: the next in turn is not to wait for the log to tell it.
      if (await publish()) this.note(coming);
    });
  }

  /** What does not grow is published, also where a plan was made smaller than what there is. */
  private reasonToRefuse(coming: ComingGeneration, plan: QuotaPlan): string | null {
    const sources = this.sourcesOf(coming.tenantId);
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
    if (!plan) throw new Error('The configuration was to refuse a default plan that there is not');
    return plan;
  }

  /** A source that was removed meanwhile has none, whatever its job says. */
  private note(published: ComingGeneration): void {
    const sources = this.sourcesOf(published.tenantId);
    const before = sources.get(published.sourceId);
    if (before) sources.set(published.sourceId, held(before, published));
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
