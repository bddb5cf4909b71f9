import {
  JOB_EVENT_TYPES,
  POLICY_DEFAULTS,
  priorityKind,
  type DocsFormat,
  type DomainEvent,
  type JobEvent,
  type Position,
  type RecordedEvent,
} from '#contracts';
import type { JobView, KeyView, SourceView } from '#contracts/http/index';
import type { ApiReadModel } from '#apps/api/engines/engines';
import { definitionView, newSourceView } from '#apps/api/sources/source-view';
import { QUEUED_JOB, reportJob, settingsAfter } from '#domain';
import { upcast, type EventStore } from '#event-store';
import type { ActiveApiKey, ChangedPolicy, ContentGapView, LiveSourceThen, LiveSourceRow } from '#read-model';

type Owned<T> = T & { readonly tenant: string };
const EPOCH = '1970-01-01T00:00:00.000Z';

/** Read models of the API held in memory and fed by a subscription: for tests that need no SQL. */
export class MemoryReadModel implements ApiReadModel {
  private readonly sources = new Map<string, Owned<SourceView>>();
  private readonly before = new Map<string, SourceView['status']>();
  private readonly jobs = new Map<string, Owned<JobView>>();
  private readonly keys = new Map<string, Owned<KeyView> & { digest: string }>();
  private readonly policyRows = new Map<string, ChangedPolicy>();
  private readonly live = new Map<string, LiveSourceRow>();
  /** What was live after each event, and what was dropped ever. */
  private readonly liveViews: { readonly position: Position; readonly live: readonly LiveSourceRow[] }[] = [];
  private readonly dropped = new Set<string>();
  private readonly stopping = new AbortController();
  private readonly waiting = new Set<() => void>();
  private readonly listeners = new Set<() => void>();
  private gaps: readonly ContentGapView[] = [];
  private running: Promise<void> | undefined;
  private position: Position | null = null;
  /** While set, nothing is projected: for tests of what answers look like when the projection is late. */
  paused: Promise<void> | undefined;

  constructor(private readonly store: EventStore) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  async listSources(tenant: string, filter: Parameters<ApiReadModel['listSources']>[1]) {
    const found = own(this.sources, tenant)
      .filter((row) => !filter.source_type || row.source_type === filter.source_type)
      .filter((row) => !filter.status || row.status === filter.status);
    return { sources: page(found, filter), total: found.length };
  }

  async getSource(tenant: string, id: string): Promise<SourceView | null> {
    return one(this.sources, tenant, id);
  }

  async listJobs(tenant: string, filter: Parameters<ApiReadModel['listJobs']>[1]) {
    const found = own(this.jobs, tenant)
      .filter((row) => !filter.source_id || row.source_id === filter.source_id)
      .filter((row) => !filter.status || row.status === filter.status);
    return { jobs: page(found, filter), total: found.length };
  }

  async getJob(tenant: string, id: string): Promise<JobView | null> {
    return one(this.jobs, tenant, id);
  }

  async listApiKeys(tenant: string): Promise<KeyView[]> {
    return own(this.keys, tenant).map((key) => without(key, 'digest', 'tenant') as KeyView);
  }

  async activeApiKeys() {
    const keys: ActiveApiKey[] = [...this.keys.values()]
      .filter(({ revoked_at }) => revoked_at === null)
      .map((key) => ({ ...key, tenant_id: key.tenant, key_id: key.id }));
    return { keys, position: this.position };
  }

  async liveSources() {
    return { sources: [...this.live.values()], position: this.position };
  }

  async liveSourcesAt(tenant: string, position: Position): Promise<LiveSourceThen[]> {
    const views = this.liveViews.filter((view) => view.position <= position);
    const then = (views.at(-1)?.live ?? []).filter(({ tenant_id }) => tenant_id === tenant);
    return then.map(({ source_id, name, source_type, docs_format, generation, version_ref, synced_at }) => {
      const dropped = this.dropped.has(`${source_id}/${generation}`) || !this.sources.has(source_id);
      const kind = priorityKind(source_type, docs_format);
      return { source_id, name, kind, generation, version_ref, synced_at, dropped };
    });
  }

  async contentGaps() {
    return this.gaps;
  }

  onProgress(_projection: string, listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Has content missing as the index projection's rows would tell. */
  setGaps(gaps: readonly ContentGapView[]): void {
    this.gaps = gaps;
    this.listeners.forEach((listener) => listener());
  }

  async policies() {
    return { policies: [...this.policyRows.values()], position: this.position };
  }

  async getPolicy(tenant: string) {
    return this.policyRows.get(tenant) ?? { ...untouched, tenant_id: tenant };
  }

  async positionOf(): Promise<Position | null> {
    return this.position;
  }

  async waitFor(_projection: string, position: Position, timeoutMs: number): Promise<boolean> {
    const reached = () => this.position !== null && this.position >= position;
    if (reached()) return true;
    return new Promise((resolve) => {
      const settle = (value: boolean) => {
        clearTimeout(timer);
        this.waiting.delete(check);
        resolve(value);
      };
      const check = () => reached() && settle(true);
      const timer = setTimeout(() => settle(false), timeoutMs);
      this.waiting.add(check);
    });
  }

  private async run(): Promise<void> {
    for await (const delivery of this.store.subscribe({ after: 'start', signal: this.stopping.signal })) {
      if (delivery.kind !== 'event') continue;
      await this.paused;
      const read = upcast(delivery.event);
      if (read.kind === 'known') this.apply(read.event, delivery.event);
      this.liveViews.push({ position: delivery.event.position, live: [...this.live.values()] });
      this.position = delivery.event.position;
      for (const check of [...this.waiting]) check();
    }
  }

  private apply(event: DomainEvent, recorded: RecordedEvent): void {
    const { tenant_id: tenant, occurred_at: at } = recorded.metadata;
    if (event.type === 'SourceRegistered') {
      const { source_id: id, name, definition } = event.data;
      this.sources.set(id, { ...newSourceView(id, name, definition, at), tenant });
    } else if (event.type === 'SourceUpdated') {
      const { source_id: id, name, definition } = event.data;
      const source = this.sources.get(id);
      if (!source) return;
      const rest = without(source, 'docs_format', 'doc_urls', 'use_sitemap', 'doc_version_label');
      const kept = definition ? { ...rest, ...definitionView(definition) } : source;
      this.sources.set(id, { ...kept, name: name ?? source.name, updated_at: at });
      this.change(this.live, id, { name: name ?? source.name });
    } else if (event.type === 'SourceSyncRequested') {
      const { source_id: id, job_id } = event.data;
      this.before.set(id, this.sources.get(id)?.status ?? 'pending');
      this.change(this.sources, id, { status: 'syncing', last_job_id: job_id, updated_at: at });
    } else if (event.type === 'SourceRemoved') {
      this.sources.delete(event.data.source_id);
      this.live.delete(event.data.source_id);
    } else if (event.type === 'GenerationDropped') {
      this.dropped.add(`${event.data.source_id}/${event.data.generation}`);
    } else if (event.type === 'ApiKeyIssued') {
      const { key_id: id, name, prefix, digest, scopes, expires_at } = event.data;
      const times = { created_at: at, expires_at, last_used_at: null, revoked_at: null };
      this.keys.set(id, { id, name, prefix, digest, scopes: [...scopes], ...times, tenant });
    } else if (event.type === 'ApiKeyRevoked') {
      this.change(this.keys, event.data.key_id, { revoked_at: at });
    } else if (event.type === 'PolicyUpdated' || event.type === 'PolicyReset') {
      const row = this.policyRows.get(tenant) ?? { ...untouched, tenant_id: tenant };
      const settings = settingsAfter(row.settings, event);
      this.policyRows.set(tenant, { ...row, settings, updated_at: at, revision: recorded.revision });
    } else {
      this.applyJob(event, tenant, at);
    }
  }

  private applyJob(event: DomainEvent, tenant: string, at: string): void {
    if (!isJobEvent(event)) return;
    const { job_id: id } = event.data;
    if (event.type === 'JobRequested') {
      this.jobs.set(id, { id, source_id: event.data.source_id, created_at: at, ...QUEUED_JOB, tenant });
    }
    const job = this.jobs.get(id);
    if (job) this.jobs.set(id, reportJob(job, { ...event, occurred_at: at }));
    if (event.type === 'JobCompleted') {
      const { source_id, generation, manifest, version_ref, file_count, chunk_count } = event.data;
      const counts = { file_count, chunk_count, version_ref, last_sync_completed: at };
      this.change(this.sources, source_id, { status: 'synced', last_error: null, updated_at: at, ...counts });
      const source = this.sources.get(source_id);
      if (!source) return;
      const { name, source_type } = source;
      const docs_format = source.docs_format ? { docs_format: source.docs_format as DocsFormat } : {};
      const row = { source_id, name, source_type, ...docs_format, generation, manifest, version_ref };
      this.live.set(source_id, { ...row, tenant_id: tenant, synced_at: at });
    } else if (event.type === 'JobFailed') {
      const { source_id, error_message } = event.data;
      this.change(this.sources, source_id, { status: 'error', last_error: error_message, updated_at: at });
    } else if (event.type === 'JobCancelled') {
      const { source_id } = event.data;
      this.change(this.sources, source_id, { status: this.before.get(source_id) ?? 'pending', updated_at: at });
    }
  }

  private change<T>(rows: Map<string, T>, id: string, changes: Partial<T>): void {
    const row = rows.get(id);
    if (row) rows.set(id, { ...row, ...changes });
  }
}

const untouched = { settings: POLICY_DEFAULTS, created_at: EPOCH, updated_at: EPOCH, revision: -1n };

function own<T>(rows: ReadonlyMap<string, Owned<T>>, tenant: string): Owned<T>[] {
  return [...rows.values()].filter((row) => row.tenant === tenant).reverse();
}

function page<T>(rows: readonly Owned<T>[], { skip, limit }: { skip: number; limit: number }): T[] {
  return rows.slice(skip, skip + limit).map(withoutTenant);
}

function one<T>(rows: ReadonlyMap<string, Owned<T>>, tenant: string, id: string): T | null {
  const row = rows.get(id);
  return row?.tenant === tenant ? withoutTenant(row) : null;
}

function withoutTenant<T>(row: Owned<T>): T {
  return without(row, 'tenant') as unknown as T;
}

function without<T extends object, K extends keyof T>(row: T, ...fields: K[]): Omit<T, K> {
  return Object.fromEntries(Object.entries(row).filter(([field]) => !fields.includes(field as K))) as Omit<T, K>;
}

function isJobEvent(event: DomainEvent): event is JobEvent {
  return (JOB_EVENT_TYPES as readonly string[]).includes(event.type);
}
