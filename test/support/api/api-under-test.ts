import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import type { ApiDependencies } from '#apps/api/engines/engines';
import { closeApi, createApi } from '#apps/api/create-api';
import { InMemoryProjections } from '#apps/api/in-memory/in-memory-projections';
import type { Actor, DomainEvent, KeyScope, StreamName } from '#contracts';
import { openSqliteEventStore, type EventStore } from '#event-store';
import { createHashEmbedder } from '#models';
import {
  FsKeyRing,
  describeApiKey,
  loadConfig,
  newApiKeySecret,
  silentLogger,
  systemClock,
  uuidv7,
  type Clock,
  type KeyRing,
} from '#platform';

import { proposed } from '../sample-events.js';
import { tempDir } from '../temp-dir.js';
import { MemoryReadModel } from './memory-read-model.js';
import { MemorySearchIndex } from './memory-search-index.js';

const SYSTEM: Actor = { type: 'system', id: 'test' };

/** An answer of the API, its body parsed where it is JSON. */
export interface ApiAnswer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly body: Body;
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  readonly text: string;
}

/** The API over an embedded log and in-memory read models and index, with two tenants that have a key each. */
export class ApiUnderTest {
  readonly tenantA = uuidv7();
  readonly tenantB = uuidv7();
  readonly keyA = newApiKeySecret().secret;
  readonly keyB = newApiKeySecret().secret;

  private constructor(
    readonly app: NestFastifyApplication,
    readonly store: EventStore,
    readonly readModel: MemoryReadModel,
    readonly index: MemorySearchIndex,
    readonly keyRing: KeyRing,
    private readonly folder: ReturnType<typeof tempDir>,
  ) {}

  static async start(options: { readonly clock?: Clock; readonly environment?: Record<string, string> } = {}) {
    const folder = tempDir();
    const store = await openSqliteEventStore({
      directory: folder.path,
      onFatal: (error) => {
        throw error;
      },
    });
    const readModel = new MemoryReadModel(store);
    const index = new MemorySearchIndex();
    const keyRing = await FsKeyRing.open(join(folder.path, 'keys'));
    readModel.start();
    const engines: ApiDependencies = {
      eventStore: store,
      readModel,
      searchIndex: index,
      embedder: createHashEmbedder(),
      keyRing,
      clock: options.clock ?? systemClock,
      config: loadConfig({ ALLOW_FILE_URLS: 'true', ...options.environment }, folder.path),
      logger: silentLogger,
    };
    const api = new ApiUnderTest(await createApi(engines), store, readModel, index, keyRing, folder);
    await api.issueKey(api.tenantA, api.keyA, ['read', 'write', 'audit']);
    await api.issueKey(api.tenantB, api.keyB, ['read', 'write', 'audit']);
    await api.ready();
    return api;
  }

  async stop(): Promise<void> {
    await closeApi(this.app);
    await this.readModel.stop();
    await this.store.close();
    this.folder.remove();
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
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const isJson = String(response.headers['content-type'] ?? '').startsWith('application/json');
    const parsed = (isJson && response.payload !== '' ? JSON.parse(response.payload) : undefined) as Body;
    return { status: response.statusCode, body: parsed, headers: response.headers, text: response.payload };
  }

  /** Appends events to a stream's end as a background worker of the tenant would, and waits until they are projected. */
  async append(tenant: string, stream: StreamName, ...events: DomainEvent[]): Promise<void> {
    await this.appendAt(new Date(), tenant, stream, ...events);
  }

  /** The same with the time at which they happened. */
  async appendAt(at: Date, tenant: string, stream: StreamName, ...events: DomainEvent[]): Promise<void> {
    const metadata = { tenant_id: tenant, actor: SYSTEM, occurred_at: at.toISOString() };
    const { position } = await this.store.append(
      stream,
      events.map((event) => proposed(event, metadata)),
      'any',
    );
    await this.readModel.waitFor('any', position, 2_000);
    const interested = this.app
      .get(InMemoryProjections)
      .all.filter(({ types }) => types.includes(events.at(-1)?.type ?? ''));
    await Promise.all(interested.map((projection) => projection.waitFor(position, 2_000)));
  }

  /** Makes a key as the operator's command would. */
  async issueKey(tenant: string, secret: string, scopes: KeyScope[], expiresAt: string | null = null): Promise<string> {
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
    const { status, body: source, text } = await this.call<{ id: string }>('POST', '/sources', body, { key });
    if (status !== 201) throw new Error(text);
    return source.id;
  }

  /** Number of events in the log. */
  async eventCount(): Promise<number> {
    let count = 0;
    const stop = new AbortController();
    for await (const delivery of this.store.subscribe({ after: 'start', signal: stop.signal })) {
      if (delivery.kind === 'event') count += 1;
      if (delivery.kind === 'caught-up') stop.abort();
    }
    return count;
  }

  private async ready(): Promise<void> {
    const deadline = Date.now() + 10_000;
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
