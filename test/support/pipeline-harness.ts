import { createPipeline, type Pipeline, type PipelineOptions } from '#apps/pipeline/pipeline';
import type { DomainEvent, EventMetadata, SourceDefinition, StreamName } from '#contracts';
import {
  isTerminal,
  type JobCommand,
  jobDecider,
  type JobState,
  openJob,
  type SourceCommand,
  sourceDecider,
} from '#domain';
import { dataFolders, LogIdentity, type StoreName } from '#engines';
import { type EventStore, foldStream, handleCommand, openSqliteEventStore } from '#event-store';
import { redactUrls } from '#ingest/redact/redact-urls';
import { createHashEmbedder, type Embedder } from '#models';
import {
  type BlobStore,
  type Config,
  FsBlobStore,
  FsKeyRing,
  type KeyRing,
  loadConfig,
  type LogBinding,
  type Logger,
  silentLogger,
  sleep,
  systemClock,
  uuidv7,
  withTimeout,
} from '#platform';
import { openSqliteWorkQueue, type WorkQueue } from '#queue';

import { FakeIndex } from './fake-index.js';
import { FakeSearchIndex } from './fake-search-index.js';
import { NO_TRAIL } from './no-trail.js';
import { tempDir } from './temp-dir.js';

export interface HarnessOptions extends PipelineOptions {
  readonly leaseSeconds?: number;
  readonly stageTimeoutSeconds?: number;
  /** Default: word hashing. */
  readonly embedder?: Embedder;
  /** Default: the harness's own. */
  readonly keyRing?: KeyRing;
  /** The wall clock of the pipeline. */
  readonly now?: () => Date;
  readonly limits?: Partial<Config['limits']>;
  /** Default: servers of the test itself may be asked. */
  readonly network?: Partial<Config['network']>;
  /** Variables of the configuration besides. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: one that says nothing. */
  readonly logger?: Logger;
  /** Stands between the pipeline and its engines, to make them misbehave. */
  readonly wrapStore?: (store: EventStore) => EventStore;
  readonly wrapBlobs?: (blobs: BlobStore) => BlobStore;
  readonly wrapQueue?: (queue: WorkQueue) => WorkQueue;
}

/**
 * The pipeline on real embedded engines in a folder of its own, with the API's appends made by
 * hand.
 */
export class PipelineHarness {
  private constructor(
    readonly directory: ReturnType<typeof tempDir>,
    readonly store: EventStore,
    public queue: WorkQueue,
    readonly blobs: FsBlobStore,
    readonly keyRing: FsKeyRing,
    readonly index: FakeIndex,
    readonly identity: LogIdentity,
  ) {}

  pipeline: Pipeline | null = null;

  static async open(): Promise<PipelineHarness> {
    const directory = tempDir();
    const store = await openSqliteEventStore({
      directory: `${directory.path}/log`,
      onFatal: reportFatal,
    });
    const queue = await openQueue(directory.path);
    const blobs = await FsBlobStore.open(`${directory.path}/blobs`);
    const keyRing = await FsKeyRing.open(`${directory.path}/keys`, undefined);
    const config = loadConfig({ DATA_DIR: directory.path }, '/');
    const identity = new LogIdentity({
      eventStore: store,
      bindings: new Map<StoreName, LogBinding>([['blobs', blobs.logBinding]]),
      config,
      folders: dataFolders(directory.path),
      clock: systemClock,
      logger: silentLogger,
    });
    await identity.settle();
    return new PipelineHarness(
      directory,
      store,
      queue,
      blobs,
      keyRing,
      new FakeIndex(store, blobs),
      identity,
    );
  }

  async start(options: HarnessOptions = {}): Promise<Pipeline> {
    const {
      leaseSeconds = 30,
      stageTimeoutSeconds = 60,
      limits = {},
      network = { allowPrivateNetworks: true },
      environment = {},
      embedder = createHashEmbedder(),
      keyRing = this.keyRing,
      now = () => new Date(),
      logger = silentLogger,
      wrapStore = same,
      wrapBlobs = same,
      wrapQueue = same,
      ...rest
    } = options;
    // Repositories of tests lie in the same folder, and none may lie in the service's own.
    const DATA_DIR = `${this.directory.path}/data`;
    const config = loadConfig(
      { ALLOW_FILE_URLS: 'true', DATA_DIR, WORKER_THREADS: '2', ...environment },
      '/',
    );
    this.pipeline = createPipeline(
      {
        eventStore: wrapStore(this.store),
        queue: wrapQueue(this.queue),
        blobs: wrapBlobs(this.blobs),
        keyRing,
        indexedGenerations: this.index,
        searchIndex: new FakeSearchIndex(),
        readModel: NO_TRAIL,
        embedder,
        config: {
          ...config,
          jobs: { ...config.jobs, leaseSeconds, stageTimeoutSeconds },
          limits: { ...config.limits, ...limits },
          network: { ...config.network, ...network },
        },
        clock: { ...systemClock, now },
        logger,
        identity: this.identity,
      },
      // Tests ask for each collection themselves.
      { loseAllLeases: true, graceMs: 100, collectAfterMs: Infinity, ...rest },
    );
    await this.pipeline.start();
    return this.pipeline;
  }

  /** Stops the pipeline and starts it again, as a restarted process would. */
  async restart(options: HarnessOptions = {}): Promise<void> {
    await this.pipeline?.stop();
    await this.start(options);
  }

  /** Forgets everything that the queue held. */
  async loseQueue(): Promise<void> {
    await this.queue.close();
    this.queue = await openQueue(`${this.directory.path}/${uuidv7()}`);
  }

  async close(): Promise<void> {
    await this.pipeline?.stop();
    await this.index.stop();
    await this.queue.close();
    await this.store.close();
    this.directory.remove();
  }

  async registerSource(
    tenantId: string,
    url: string,
    definition: Partial<SourceDefinition> = {},
    sourceId = uuidv7(),
  ): Promise<string> {
    const data = {
      source_id: sourceId,
      name: 'Fixture',
      definition: {
        source_type: 'repo' as const,
        url,
        branch: 'main',
        include_patterns: [],
        exclude_patterns: [],
        ...definition,
      },
    };
    await this.commandSource(tenantId, sourceId, { type: 'RegisterSource', data });
    return sourceId;
  }

  /** Accepts a sync as the API does; with `secondAppend` false it dies between its two appends. */
  async requestSync(tenantId: string, sourceId: string, secondAppend = true): Promise<string> {
    const jobId = uuidv7();
    const { state: source } = await foldStream(this.store, sourceDecider, `source-${sourceId}`);
    if (source.status === 'absent') throw new Error('no such source');
    const last =
      source.last_job_id === null ? jobDecider.initial : await this.job(source.last_job_id);
    await this.commandSource(tenantId, sourceId, {
      type: 'RequestSync',
      data: { job_id: jobId, last_job_open: source.last_job_id !== null && !isTerminal(last) },
    });
    if (!secondAppend) return jobId;
    const shownUrl = redactUrls(source.definition.url);
    await this.commandJob(
      tenantId,
      jobId,
      openJob({
        source: { ...source, previous_job_id: source.last_job_id, last_job_id: jobId },
        shownUrl,
        lastJob: last,
        maxRetries: 3,
      }),
      jobId,
    );
    return jobId;
  }

  /** Syncs and waits for the end. */
  async sync(tenantId: string, sourceId: string): Promise<JobState> {
    return this.ended(await this.requestSync(tenantId, sourceId));
  }

  commandSource(tenantId: string, sourceId: string, command: SourceCommand): Promise<unknown> {
    return handleCommand({
      store: this.store,
      decider: sourceDecider,
      stream: `source-${sourceId}`,
      expected: 'any',
      decide: (state) => sourceDecider.decide(command, state),
      context: {
        commandId: uuidv7(),
        metadata: metadataOf(tenantId),
        deadline: performance.now() + 5_000,
      },
    });
  }

  commandJob(
    tenantId: string,
    jobId: string,
    command: JobCommand,
    commandId = uuidv7(),
  ): Promise<unknown> {
    return handleCommand({
      store: this.store,
      decider: jobDecider,
      stream: `job-${jobId}`,
      expected: 'any',
      decide: (state) => jobDecider.decide(command, state),
      context: { commandId, metadata: metadataOf(tenantId), deadline: performance.now() + 5_000 },
    });
  }

  async job(jobId: string): Promise<JobState> {
    return (await foldStream(this.store, jobDecider, `job-${jobId}`)).state;
  }

  /** Waits for the job's terminal event. */
  async ended(jobId: string): Promise<JobState> {
    return this.until(async () => {
      const job = await this.job(jobId);
      return isTerminal(job) ? job : null;
    }, `job ${jobId} to end`);
  }

  /** Waits until `look` finds something. */
  async until<T>(look: () => Promise<T | null>, what: string): Promise<T> {
    const controller = new AbortController();
    const wait = async (): Promise<T> => {
      for (;;) {
        const found = await look();
        if (found !== null) return found;
        if (!(await sleep(20, controller.signal))) throw new Error('stopped waiting');
      }
    };
    return withTimeout(wait(), 90_000, `Waited too long for ${what}`).finally(() =>
      controller.abort(),
    );
  }

  async types(stream: StreamName): Promise<DomainEvent['type'][]> {
    const types: DomainEvent['type'][] = [];
    for await (const { type } of this.store.read(stream)) types.push(type as DomainEvent['type']);
    return types;
  }
}

function same<T>(engine: T): T {
  return engine;
}

function openQueue(directory: string): Promise<WorkQueue> {
  return openSqliteWorkQueue({
    directory: `${directory}/queue`,
    pollMs: 50,
    redeliveryDelayMs: 50,
  });
}

function metadataOf(tenantId: string): Omit<EventMetadata, 'schema_version'> {
  return {
    tenant_id: tenantId,
    actor: { type: 'api_key', id: 'k1' },
    correlation_id: 'request-1',
    causation_id: 'request-1',
    occurred_at: new Date().toISOString(),
  };
}

function reportFatal(error: Error): void {
  throw error;
}
