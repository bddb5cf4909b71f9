import { isReservedTenant, limitsOf, type QuotaPlan } from '#contracts';
import { tenantDecider } from '#domain';
import { foldStream, type EventStore, type RecordedDomainEvent } from '#event-store';
import { KeyedQueue, type Config } from '#platform';

/** A generation that is about to be published. */
export interface ComingGeneration {
  readonly tenantId: string;
  readonly sourceId: string;
  readonly chunks: number;
}

export interface TenantChunksDependencies {
  readonly store: Pick<EventStore, 'read'>;
  readonly config: Pick<Config, 'quota'>;
}

/**
 * How many chunks the live generations of each tenant have, folded from the log, and whether its plan has room for another one.
 * Only the dispatcher that leads publishes, and of one tenant one generation after the other: simultaneous syncs cannot both take
 * the last room.
 */
export class TenantChunks {
  private readonly byTenant = new Map<string, Map<string, number>>();
  private readonly turns = new KeyedQueue();

  constructor(private readonly dependencies: TenantChunksDependencies) {}

  apply(event: RecordedDomainEvent): void {
    const { tenant_id: tenantId } = event.metadata;
    if (event.type === 'SourceRegistered') this.sourcesOf(tenantId).set(event.data.source_id, 0);
    else if (event.type === 'SourceRemoved') this.sourcesOf(tenantId).delete(event.data.source_id);
    else if (event.type === 'JobCompleted') this.note(tenantId, event.data.source_id, event.data.chunk_count);
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
      const reason = isOfPlan ? this.reasonToRefuse(coming, await this.planOf(coming.tenantId)) : null;
      if (reason !== null) return void (await refuse(reason));
      // Known at once: the next in turn is not to wait for the log to tell it.
      if (await publish()) this.note(coming.tenantId, coming.sourceId, coming.chunks);
    });
  }

  /** What does not grow is published, also where a plan was made smaller than what there is. */
  private reasonToRefuse({ tenantId, sourceId, chunks }: ComingGeneration, plan: QuotaPlan): string | null {
    const [limit] = limitsOf(plan, 'chunks');
    const sources = this.sourcesOf(tenantId);
    const before = sources.get(sourceId) ?? 0;
    const others = [...sources.values()].reduce((sum, count) => sum + count, 0) - before;
    if (limit === undefined || chunks <= before || others + chunks <= limit.limit) return null;
    return (
      `The plan ${plan.name} allows ${limit.limit} chunks in all; other sources have ${others}, ` +
      `and this sync would publish ${chunks}`
    );
  }

  private async planOf(tenantId: string): Promise<QuotaPlan> {
    const { plans, defaultPlan } = this.dependencies.config.quota;
    const { state } = await foldStream(this.dependencies.store, tenantDecider, `tenant-${tenantId}`);
    const name = state.status === 'active' ? state.plan : null;
    const plan = (name !== null && Object.hasOwn(plans, name) ? plans[name] : undefined) ?? plans[defaultPlan];
    if (!plan) throw new Error('The configuration was to refuse a default plan that there is not');
    return plan;
  }

  /** A source that was removed meanwhile has none, whatever its job says. */
  private note(tenantId: string, sourceId: string, chunks: number): void {
    const sources = this.sourcesOf(tenantId);
    if (sources.has(sourceId)) sources.set(sourceId, chunks);
  }

  private sourcesOf(tenantId: string): Map<string, number> {
    const known = this.byTenant.get(tenantId) ?? new Map<string, number>();
    this.byTenant.set(tenantId, known);
    return known;
  }
}
