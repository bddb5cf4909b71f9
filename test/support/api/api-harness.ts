import { randomUUID } from 'node:crypto';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { closeApi, createApi } from '#apps/api/create-api';
import { type ApiDependencies, type ProcessPart, PROJECTIONS } from '#apps/api/engines/engines';
import type { McpServers } from '#apps/api/engines/mcp-servers.port';
import { InMemoryProjections } from '#apps/api/in-memory/in-memory-projections';
import { ContentGaps } from '#apps/api/sources/content-gaps';
import { GenerationRows } from '#apps/projector/index/generation-rows';
import { createProjector, type Projector } from '#apps/projector/projector';
import type { Actor, DomainEvent, KeyScope, StreamName } from '#contracts';
import { type Engines, openEngines } from '#engines';
import type { EventStore } from '#event-store';
import type { PackageRegistry } from '#ingest';
import type { SentenceEncoder } from '#models';
import {
  type Clock,
  describeApiKey,
  type KeyRing,
  loadConfig,
  type Logger,
  MemoryRateLimiter,
  newApiKeySecret,
  silentLogger,
  uuidv7,
} from '#platform';
import { asProjector, type ContentGapView, liveVersion } from '#read-model';
import type { LiveSource } from '#search-index';

import { proposed } from '../sample-events.js';
import { tempDir } from '../temp-dir.js';

const SYSTEM: Actor = { type: 'system', id: 'test' };

/** An answer of the API, its body parsed where it is JSON. */
export interface ApiAnswer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
}

const NEEDS = [
  'eventStore',
  'readModel',
  'searchIndex',
  'blobs',
  'keyRing',
  'embedder',
  'chatModel',
  'sentenceEncoder',
  'rateLimiter',
] as const;
type ApiTestEngines = Engines<(typeof NEEDS)[number]>;

export interface ApiHarnessOptions {
  readonly clock?: Clock;
  /** The clock of the rate limits. */
  readonly limiterClock?: Clock;
  readonly environment?: Record<string, string>;
  /** The logger of the API; nothing is logged by default. */
  readonly logger?: Logger;
  readonly packageRegistry?: PackageRegistry;
  readonly processPart?: ProcessPart;
  /** Default: servers with the tools of Footnote. */
  readonly mcpServers?: McpServers;
  /** Default: none. */
  readonly sentenceEncoder?: SentenceEncoder;
  /** Stands between the API and its log; the read models, and `store`, have the log itself. */
  readonly between?: (log: EventStore) => EventStore;
  /** Stands between the API and its key ring, likewise. */
  readonly sealedBy?: (ring: KeyRing) => KeyRing;
}

/** Events about requests that the API appends some time after the answer. */
const IN_BACKGROUND: ReadonlySet<string> = new Set(['ApiKeyUsed', 'RequestsRefused']);

/**
 * The API and the projector over embedded engines of their own, with two tenants that have a key
 * each; no pipeline.
 */
export class ApiHarness {
  readonly tenantA = uuidv7();
  readonly tenantB = uuidv7();
  readonly keyA = newApiKeySecret().secret;
  readonly keyB = newApiKeySecret().secret;
  readonly store: EventStore;
  readonly readModel: ApiTestEngines['readModel'];
  readonly index: ApiTestEngines['searchIndex'];
  readonly blobs: ApiTestEngines['blobs'];
  readonly keyRing: KeyRing;

  private constructor(
    readonly app: NestFastifyApplication,
    private readonly engines: ApiTestEngines,
    private projector: Projector,
    private readonly folder: ReturnType<typeof tempDir>,
  ) {
    this.store = engines.eventStore;
    this.readModel = engines.readModel;
    this.index = engines.searchIndex;
    this.blobs = engines.blobs;
    this.keyRing = engines.keyRing;
  }

  /** The data folder in the configuration. */
  get dataDir(): string {
    return `${this.folder.path}/data`;
  }

  static async start(options: ApiHarnessOptions = {}) {
    const folder = tempDir();
    const config = loadConfig({
      ALLOW_FILE_URLS: 'true',
      DATA_DIR: `${folder.path}/data`,
      ...options.environment,
    });
    const { sentenceEncoder } = options;
    const engines = await openEngines(config, silentLogger, NEEDS, undefined, {
      ...(sentenceEncoder && { sentenceEncoder }),
    });
    const projector = createProjector(engines);
    await projector.start();
    const { eventStore: log } = engines;
    const dependencies: ApiDependencies = {
      ...engines,
      eventStore: options.between?.(log) ?? log,
      keyRing: options.sealedBy?.(engines.keyRing) ?? engines.keyRing,
      clock: options.clock ?? engines.clock,
      logger: options.logger ?? engines.logger,
      ...(options.processPart && { processPart: options.processPart }),
      ...(options.mcpServers && { mcpServers: options.mcpServers }),
      ...(options.packageRegistry && { packageRegistry: options.packageRegistry }),
      ...(options.limiterClock
        ? { rateLimiter: new MemoryRateLimiter({ clock: options.limiterClock }) }
        : {}),
    };
    const app = await createApi(dependencies);
    const api = new ApiHarness(app, engines, projector, folder);
    for (const tenant of [api.tenantA, api.tenantB]) {
      const data = { tenant_id: tenant, name: `Tenant ${tenant}` };
      await api.append(tenant, `tenant-${tenant}`, { type: 'TenantCreated', data });
    }
    await api.issueKey(api.tenantA, api.keyA, ['read', 'write', 'audit']);
    await api.issueKey(api.tenantB, api.keyB, ['read', 'write', 'audit']);
    await api.ready();
    return api;
  }

  async stop(): Promise<void> {
    await closeApi(this.app);
    await this.projector.stop();
    await this.engines.close();
    this.folder.remove();
  }

  /** Runs something while nothing is projected: how answers look when projections are late. */
  async whileNothingIsProjected<T>(work: () => Promise<T>): Promise<T> {
    await this.projector.stop();
    try {
      return await work();
    } finally {
      this.projector = createProjector(this.engines);
      await this.projector.start();
    }
  }

  /** Waits until the index has loaded a generation that was staged. */
  async loaded({ tenantId, sourceId, generation }: LiveSource): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const row = await (await this.generations()).get(tenantId, sourceId, generation);
      if (row?.state === 'ready') return;
      if (row?.state === 'failed' || Date.now() > deadline)
        throw new Error(`Not loaded: ${row?.message ?? row?.state}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Marks content of loaded generations as missing in their rows, and notifies listeners. */
  async setGaps(gaps: readonly ContentGapView[]): Promise<void> {
    const rows = await this.generations();
    for (const { tenant_id, source_id, generation, searchable, message } of gaps) {
      const row = await rows.get(tenant_id, source_id, generation);
      if (!row) throw new Error(`No row of generation ${generation} of ${source_id}`);
      await rows.put([{ ...row, state: searchable ? 'ready' : 'failed', message }]);
    }
    const position = await rows.tell();
    if (position !== null) this.readModel.progress.report('generations', position);
    // The API reads the rows again after this event; nothing shows when it has.
    await this.app.get(ContentGaps).refresh();
  }

  private async generations(): Promise<GenerationRows> {
    const { dataSource } = this.readModel;
    const live = await asProjector(dataSource, (manager) => liveVersion(manager, 'generations'));
    return new GenerationRows(dataSource, live?.version ?? 1);
  }

  /** Calls as tenant A unless another key is given; `key: null` sends none. */
  async call<Body = Record<string, unknown>>(
    method: string,
    url: string,
    body?: unknown,
    options: { readonly key?: string | null; readonly headers?: Record<string, string> } = {},
  ): Promise<ApiAnswer<Body>> {
    const key = options.key === undefined ? this.keyA : options.key;
    const response = await this.app.inject({
      method: method,
      url,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      ...(body === undefined
        ? {}
        : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
    const parsed = (
      isJson && response.payload !== '' ? JSON.parse(response.payload) : undefined
    ) as Body;
    return {
      status: response.statusCode,
      body: parsed,
      headers: response.headers,
      text: response.payload,
    };
  }

  /**
   * Appends events to a stream's end as a background worker of the tenant would, and waits until
   * they are projected.
   */
  async append(tenant: string, stream: StreamName, ...events: DomainEvent[]): Promise<void> {
    await this.appendAt(new Date(), tenant, stream, ...events);
  }

  /** The same with the time at which they happened. */
  async appendAt(
    at: Date,
    tenant: string,
    stream: StreamName,
    ...events: DomainEvent[]
  ): Promise<void> {
    const metadata = { tenant_id: tenant, actor: SYSTEM, occurred_at: at.toISOString() };
    const { position } = await this.store.append(
      stream,
      events.map((event) => proposed(event, metadata)),
      'any',
    );
    await Promise.all(PROJECTIONS.map((name) => this.readModel.waitFor(name, position, 60_000)));
    const types = new Set<string>(events.map(({ type }) => type));
    const interested = this.app
      .get(InMemoryProjections)
      .all.filter((each) => each.types.some((type) => types.has(type)));
    await Promise.all(interested.map((projection) => projection.waitFor(position, 60_000)));
  }

  /** Makes a key as the operator's command would. */
  async issueKey(
    tenant: string,
    secret: string,
    scopes: KeyScope[],
    expiresAt: string | null = null,
  ): Promise<string> {
    const key_id = uuidv7();
    const { prefix, digest } = describeApiKey(secret);
    await this.append(tenant, `apikey-${key_id}`, {
      type: 'ApiKeyIssued',
      data: { key_id, name: 'test', prefix, digest, scopes, expires_at: expiresAt },
    });
    return key_id;
  }

  /** Registers a repository and returns its id. */
  async createSource(name = 'Flask', key = this.keyA): Promise<string> {
    const body = { name, source_type: 'repo', url: 'https://example.com/flask.git' };
    const {
      status,
      body: source,
      text,
    } = await this.call<{ id: string }>('POST', '/sources', body, { key });
    if (status !== 201) throw new Error(text);
    return source.id;
  }

  /** Returns the number of events in the log, without those of the background. */
  async eventCount(): Promise<number> {
    let count = 0;
    const stop = new AbortController();
    for await (const delivery of this.store.subscribe({ after: 'start', signal: stop.signal })) {
      if (delivery.kind === 'event' && !IN_BACKGROUND.has(delivery.event.type)) count += 1;
      if (delivery.kind === 'caught-up') stop.abort();
    }
    return count;
  }

  private async ready(): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const { status, text } = await this.call('GET', '/health/ready', undefined, { key: null });
      const accepted = await this.call('GET', '/sources', undefined, { key: this.keyB });
      if (status === 200 && accepted.status === 200) return;
      if (Date.now() > deadline) throw new Error(`Not ready: ${text}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** An id that nobody has. */
export function unknownId(): string {
  return randomUUID();
}
