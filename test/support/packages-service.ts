import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { closeApi, createApi } from '#apps/api/create-api';
import { createTenantWithKey, type TenantWithKey } from '#apps/api/tenants/create-tenant';
import { indexedGenerations } from '#apps/pipeline/indexed-generations';
import { createPipeline, type Pipeline } from '#apps/pipeline/pipeline';
import { createProjector, type Projector } from '#apps/projector/projector';
import { ALL_ENGINES, type Engines, openEngines } from '#engines';
import type { Fetchers } from '#ingest';
import { createServiceDocsFetcher } from '#ingest/service-docs/service-docs-fetcher';
import {
  type BlobStore,
  type Clock,
  type Config,
  loadConfig,
  silentLogger,
  sleep,
  systemClock,
  uuidv7,
} from '#platform';

import { MemoryPackages } from './memory-packages.js';
import { operatorRun } from './operator-run.js';
import { tempDir } from './temp-dir.js';

/** Creates the fetchers of the pipeline. Default: packages in memory and the service's docs. */
type FetchersOf = (config: Config, blobs: BlobStore, packages: MemoryPackages) => Fetchers;

export interface Answer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, unknown>>;
  /** The body as it came. */
  readonly text: string;
}

/**
 * Two APIs, the pipeline and the projector over embedded engines, with packages from a registry in
 * memory.
 */
export class PackagesService {
  readonly packages = new MemoryPackages();
  readonly apis: NestFastifyApplication[] = [];

  private constructor(
    readonly engines: Engines,
    private readonly projector: Projector,
    private readonly folder: ReturnType<typeof tempDir>,
    readonly tenants: readonly TenantWithKey[],
    private readonly now: () => Date,
    private readonly fetchers: FetchersOf | undefined,
  ) {}

  /** The milliseconds by which the request clocks of the APIs are ahead. */
  elapsed = 0;

  pipeline: Pipeline | null = null;

  static async start(
    environment: Readonly<Record<string, string>> = {},
    now: () => Date = () => new Date(),
    fetchers?: FetchersOf,
  ): Promise<PackagesService> {
    const folder = tempDir();
    const config = loadConfig(
      { DATA_DIR: `${folder.path}/data`, WORKER_THREADS: '1', ...environment },
      '/',
    );
    const engines = await openEngines(config, silentLogger, ALL_ENGINES);
    const projector = createProjector(engines);
    await projector.start();
    const tenants: TenantWithKey[] = [];
    for (const name of ['A', 'B']) {
      const { eventStore, clock } = engines;
      const run = operatorRun('tenant');
      tenants.push(await createTenantWithKey(eventStore, clock, name, uuidv7(), run));
    }
    const service = new PackagesService(engines, projector, folder, tenants, now, fetchers);
    await service.startPipeline();
    for (let count = 0; count < 2; count += 1) service.apis.push(await service.api());
    await service.ready();
    return service;
  }

  async stop(): Promise<void> {
    await Promise.all(this.apis.map((api) => closeApi(api)));
    await this.pipeline?.stop();
    await this.projector.stop();
    await this.engines.close();
    this.folder.remove();
  }

  async startPipeline(): Promise<void> {
    this.pipeline = createPipeline(
      {
        ...this.engines,
        clock: { ...systemClock, now: this.now },
        indexedGenerations: indexedGenerations(this.engines.readModel),
      },
      {
        loseAllLeases: true,
        fetchers: this.fetchers?.(this.engines.config, this.engines.blobs, this.packages) ?? {
          package: this.packages,
          service_docs: createServiceDocsFetcher(),
        },
        graceMs: 100,
      },
    );
    await this.pipeline.start();
  }

  /** Calls the API; by default the first one, as tenant A. */
  async call<Body = Record<string, unknown>>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    body?: object,
    {
      tenant = 0,
      api = 0,
      key,
      headers: more = {},
    }: {
      readonly tenant?: number;
      readonly api?: number;
      readonly key?: null;
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Answer<Body>> {
    const app = this.apis[api];
    if (!app) throw new Error(`There is no API ${api}`);
    const response = await app.inject({
      method,
      url,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${this.tenants[tenant]?.key}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...more,
      },
      ...(body && { payload: JSON.stringify(body) }),
    });
    const { payload: text, headers, statusCode: status } = response;
    const isJson = text !== '' && !String(headers['content-type']).startsWith('text/');
    return { status, body: (isJson ? JSON.parse(text) : undefined) as Body, headers, text };
  }

  search<Body = Record<string, unknown>>(
    body: object,
    options: { readonly tenant?: number; readonly api?: number } = {},
  ): Promise<Answer<Body>> {
    return this.call<Body>('POST', '/packages/search', { ecosystem: 'npm', ...body }, options);
  }

  /** Types of all events of a kind of stream, in the log's order. */
  async events(
    ...types: string[]
  ): Promise<{ type: string; data: Record<string, unknown>; tenant: string }[]> {
    const found: { type: string; data: Record<string, unknown>; tenant: string }[] = [];
    const stop = new AbortController();
    const subscription = this.engines.eventStore.subscribe({
      after: 'start',
      filter: { types },
      signal: stop.signal,
    });
    for await (const delivery of subscription) {
      if (delivery.kind === 'caught-up') stop.abort();
      if (delivery.kind !== 'event') continue;
      const { type, data, metadata } = delivery.event;
      found.push({ type, data, tenant: metadata.tenant_id });
    }
    return found;
  }

  async until<T>(look: () => Promise<T | null | undefined | false>, what: string): Promise<T> {
    for (let waited = 0; waited < 90_000; waited += 25) {
      const found = await look();
      if (found) return found;
      await sleep(25);
    }
    throw new Error(`Waited too long for ${what}`);
  }

  private api(): Promise<NestFastifyApplication> {
    const clock: Clock = { now: this.now, monotonic: () => systemClock.monotonic() + this.elapsed };
    return createApi({ ...this.engines, clock, packageRegistry: this.packages });
  }

  private async ready(): Promise<void> {
    for (const [api] of this.apis.entries()) {
      await this.until(
        async () =>
          (await this.call('GET', '/packages/my-packages', undefined, { api, tenant: 1 }))
            .status === 200,
        'the API',
      );
    }
  }
}
