import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { EVENT_DEFINITIONS } from '#contracts';
import { checkDomain } from '#domain';
import { STREAM_KINDS } from '#domain/streams';
import { dataFolders } from '#engines';
import { hasEvents } from '#event-store';
import type { Fetchers } from '#ingest';
import { createFetchers } from '#ingest/fetchers';
import { removeStrayKeys, sshFolder } from '#ingest/git/ssh-files';
import { createGitHubHost, type OpenedGitHubHost } from '#ingest/github/create-github-host';
import { PdfParser } from '#ingest/pdf/pdf-parser';
import { AddressGuard, alwaysHeld, type LeaseHolder, NO_TRACER } from '#platform';
import { GuardedHttp } from '#platform/http/guarded-http';
import { ProcessHelper } from '#platform/process/helper/process-helper';
import { auditHeads } from '#read-model';
import { createTransparency, type Transparency } from '#transparency';

import { CheckpointDelivery } from './checkpoints/checkpoint-delivery.js';
import { checkpointHealth } from './checkpoints/checkpoint-health.js';
import { CheckpointSigning } from './checkpoints/checkpoint-signing.js';
import { BlobCollection } from './collection/blob-collection.js';
import { Dispatcher } from './dispatcher/dispatcher.js';
import { Ledger } from './dispatcher/ledger.js';
import { LocalWork } from './dispatcher/local-work.js';
import { Supervisor } from './dispatcher/supervisor.js';
import { Tasks } from './dispatcher/tasks.js';
import { Erasures } from './erasure/erasures.js';
import { PackageRetention } from './packages/package-retention.js';
import type {
  CollectedBlobs,
  Pipeline,
  PipelineDependencies,
  PipelineHealth,
  PipelineOptions,
} from './pipeline.types.js';
import type { Reactor } from './reactor/reactor.types.js';
import { Reactors } from './reactor/reactors.js';
import { Snapshots } from './reactor/snapshots.js';
import { createRoverReactor } from './rover/create-rover-reactor.js';
import { OwnRepositories, ownRepositoriesReactor } from './rover/own-repositories.js';
import { ResearchRetention } from './rover/research-retention.js';
import type { RoverReactor } from './rover/rover-reactor.js';
import { Scheduler } from './scheduler/scheduler.js';
import { JobSources } from './stages/job-sources.js';
import { ThreadPool } from './thread-pool/thread-pool.js';
import { WebhookDeliveries } from './webhooks/webhook-deliveries.js';
import { ActiveRuns } from './worker/active-runs.js';
import { consumeStages } from './worker/consume-stages.js';
import { JobTraces } from './worker/job-traces.js';

export type { Pipeline, PipelineOptions } from './pipeline.types.js';

/** Lease of the process that runs the reactors. */
const LEASE = 'dispatcher';
const GRACE_MS = 1_000;
const COLLECT_AFTER_MS = 2_000;
/** PDFs parsed at once; each may use PDF_MAX_MEMORY. */
const PDF_PROCESSES = 2;
const GRAMMARS = fileURLToPath(new URL('../../grammars', import.meta.url));

/** Assembles the pipeline: the reactors of the log, and a worker for every stage. */
export function createPipeline(
  dependencies: PipelineDependencies,
  options: PipelineOptions = {},
): Pipeline {
  return new RunningPipeline(dependencies, options);
}

class RunningPipeline implements Pipeline {
  private readonly stopping = new AbortController();
  private readonly consuming = new AbortController();
  private readonly leases: LeaseHolder;
  private readonly ledger: Ledger;
  private readonly runs = new ActiveRuns();
  private readonly tasks: Tasks;
  private readonly pool: ThreadPool;
  private readonly processes: ProcessHelper;
  private readonly fetchers: Fetchers;
  private readonly github: OpenedGitHubHost;
  private readonly pdfs: PdfParser;
  private readonly scratch: string;
  private readonly vectors: string;
  private readonly dispatcher: Dispatcher;
  private readonly supervisor: Supervisor;
  private readonly collection: BlobCollection;
  private readonly transparency: Transparency;
  private readonly ownRepositories = new OwnRepositories();
  private readonly rover: RoverReactor;
  private readonly checkpoints: CheckpointSigning;
  private readonly delivery: CheckpointDelivery;
  private readonly webhookHttp: GuardedHttp;
  private readonly reactors: Reactors;
  private loops: readonly Promise<void>[] = [];
  private consumers: readonly Promise<void>[] = [];
  private state: 'starting' | 'running' | 'stopped' = 'starting';

  constructor(
    private readonly dependencies: PipelineDependencies,
    private readonly options: PipelineOptions,
  ) {
    const { config, logger, clock, blobs } = dependencies;
    this.leases = options.leases ?? alwaysHeld();
    this.scratch = options.scratchDirectory ?? join(config.dataDir, 'scratch', 'git');
    this.vectors = join(config.dataDir, 'scratch', 'vectors');
    this.pool = new ThreadPool({
      size: Math.max(1, config.workerThreads),
      grammarsDirectory: options.grammarsDirectory ?? GRAMMARS,
    });
    this.processes = new ProcessHelper(logger);
    this.fetchers = options.fetchers ?? createFetchers(config, blobs, this.processes.start);
    this.github = createGitHubHost(dependencies);
    this.pdfs = new PdfParser({ limits: config.pdf, processes: PDF_PROCESSES, logger });
    this.ledger = new Ledger(clock);
    this.tasks = new Tasks(logger);
    this.dispatcher = this.createDispatcher();
    this.supervisor = this.createSupervisor();
    this.rover = this.createRover();
    this.collection = this.createCollection();
    this.transparency = this.createTransparency();
    this.checkpoints = this.createCheckpoints();
    this.delivery = new CheckpointDelivery({ clock, logger, ...this.transparency });
    this.webhookHttp = this.createWebhookHttp();
    this.reactors = this.createReactors([
      this.dispatcher,
      this.createLocalWork(),
      this.supervisor,
      this.createScheduler(),
      this.createErasures(),
      this.createPackageRetention(),
      ownRepositoriesReactor(this.ownRepositories),
      this.rover,
      this.createResearchRetention(),
      this.collection,
      this.checkpoints,
      this.delivery,
      new JobTraces(dependencies.tracer ?? NO_TRACER, () => this.reactors.leads),
      new WebhookDeliveries({
        ...dependencies,
        store: dependencies.eventStore,
        http: this.webhookHttp,
      }),
    ]);
  }

  async start(): Promise<void> {
    checkDomain({ kinds: STREAM_KINDS, definitions: EVENT_DEFINITIONS });
    await removeStrayKeys(this.scratch);
    const { signal } = this.stopping;
    this.loops = [
      this.reactors.run(signal),
      this.leases.hold(LEASE, (held) => this.reactors.lead(held), { signal }),
    ];
  }

  async stop(): Promise<void> {
    this.state = 'stopped';
    this.consuming.abort();
    await Promise.allSettled([...this.consumers, this.rover.stop()]);
    this.stopping.abort();
    await Promise.allSettled([...this.loops, this.tasks.stop()]);
    this.processes.close();
    await this.webhookHttp.close();
    await this.github.close();
    await this.pool.close();
  }

  health(): PipelineHealth {
    const { position, leads } = this.reactors;
    const error = this.reactors.error ?? this.reactors.errorOf(this.dispatcher);
    const { clock } = this.dependencies;
    const now = clock.monotonic();
    const silences = [...this.ledger.jobs.values()].map(({ seenAt }) => now - seenAt);
    return {
      state: error && this.state !== 'stopped' ? 'failing' : this.state,
      leads,
      position,
      open_jobs: this.ledger.jobs.size,
      longest_silence_ms: Math.max(0, ...silences),
      checkpoints: checkpointHealth(this.checkpoints, this.delivery, clock.now()),
      ...(error ? { error: error.message } : {}),
    };
  }

  collect(): Promise<CollectedBlobs> {
    return this.collection.collect();
  }

  pauseCollection<T>(work: () => Promise<T>): Promise<T> {
    return this.collection.pausedDuring(work);
  }

  private createReactors(reactors: readonly Reactor[]): Reactors {
    const { eventStore: store, clock, logger, config, identity } = this.dependencies;
    const path = join(dataFolders(config.dataDir).reactor, 'snapshot.jsonl');
    const logId = () => identity.logId();
    const snapshots = new Snapshots({ store, clock, logger, path, logId, reactors });
    const onCaughtUp = () => this.begin();
    return new Reactors({ store, clock, logger, reactors, snapshots, onCaughtUp });
  }

  private createDispatcher(): Dispatcher {
    const { eventStore: store, indexedGenerations: indexed } = this.dependencies;
    const { ledger, tasks, graceMs } = this;
    return new Dispatcher({ ...this.dependencies, store, indexed, ledger, tasks, graceMs });
  }

  private createLocalWork(): LocalWork {
    const { ledger, runs } = this;
    return new LocalWork({
      ledger,
      runs,
      clearScratch: (sourceId) => this.clearScratch(sourceId),
      onLeftBlobs: () => this.collection.request(),
    });
  }

  private createSupervisor(): Supervisor {
    const { eventStore: store, clock, logger, config } = this.dependencies;
    const { ledger } = this;
    const leaseMs = config.jobs.leaseSeconds * 1_000;
    const redispatch = this.dispatcher.redispatch.bind(this.dispatcher);
    return new Supervisor({ store, clock, logger, ledger, leaseMs, redispatch });
  }

  private createScheduler(): Scheduler {
    const { eventStore: store, clock, logger, config } = this.dependencies;
    return new Scheduler({ store, clock, logger, maxRetries: config.jobs.maxRetries });
  }

  private createErasures(): Erasures {
    const { eventStore: store, indexedGenerations: indexed } = this.dependencies;
    const { ledger, runs, graceMs, foreignAttemptMs } = this;
    return new Erasures({
      ...this.dependencies,
      store,
      indexed,
      ledger,
      runs,
      graceMs,
      foreignAttemptMs,
      clearScratch: (sourceId) => this.clearScratch(sourceId),
    });
  }

  private createPackageRetention(): PackageRetention {
    const { eventStore: store, clock, logger, config } = this.dependencies;
    return new PackageRetention({ store, clock, logger, bounds: config.packageSearch.cache });
  }

  private createRover(): RoverReactor {
    const { runs, fetchers, scratch, options } = this;
    const { host } = this.github;
    const soleProcess = options.loseAllLeases ?? false;
    return createRoverReactor(this.dependencies, {
      runs,
      fetchers,
      host,
      scratch,
      soleProcess,
      ownRepositories: this.ownRepositories,
    });
  }

  private createResearchRetention(): ResearchRetention {
    const { eventStore: store, clock, logger, config } = this.dependencies;
    return new ResearchRetention({ store, clock, logger, bounds: config.rover.cache });
  }

  private createCollection(): BlobCollection {
    const { eventStore: store, indexedGenerations: indexed } = this.dependencies;
    const { ledger, runs, foreignAttemptMs } = this;
    return new BlobCollection({
      ...this.dependencies,
      ledger,
      runs,
      indexed,
      foreignAttemptMs,
      knowsSource: (sourceId) => hasEvents(store, `source-${sourceId}`),
      neededBlobs: () => this.rover.neededBlobs(),
      requestWaitsMs: this.options.collectAfterMs ?? COLLECT_AFTER_MS,
      mayCollect: () => this.state === 'running' && this.reactors.leads,
    });
  }

  private createTransparency(): Transparency {
    const { eventStore: store, readModel, keyRing, clock, config } = this.dependencies;
    return createTransparency({ store, readModel, keyRing, clock, settings: config.audit });
  }

  private createCheckpoints(): CheckpointSigning {
    const { readModel, clock, logger, config } = this.dependencies;
    const { signer } = this.transparency;
    return new CheckpointSigning({
      clock,
      logger,
      signer,
      everyMs: config.audit.checkpointMinutes * 60_000,
      trailSizes: async (tenantIds) => {
        const { rows } = await readModel.asOf('audit_records', (manager) =>
          auditHeads(manager, tenantIds),
        );
        return new Map([...rows].map(([tenantId, { size }]) => [tenantId, size]));
      },
    });
  }

  private createWebhookHttp(): GuardedHttp {
    const { allowPrivateNetworks } = this.dependencies.config.network;
    const guard = new AddressGuard({ allowPrivateNetworks });
    return new GuardedHttp({ guard, ports: allowPrivateNetworks ? 'any' : [] });
  }

  private get graceMs(): number {
    return this.options.graceMs ?? GRACE_MS;
  }

  /** Longest time that an attempt of another process may take; 0 if there is no other process. */
  private get foreignAttemptMs(): number {
    const { stageTimeoutSeconds } = this.dependencies.config.jobs;
    return this.leases.soleProcess ? 0 : stageTimeoutSeconds * 1_000;
  }

  /** Removes the files of a source that this machine stores between syncs. */
  private async clearScratch(sourceId: string): Promise<void> {
    await rm(join(this.scratch, sourceId), { recursive: true, force: true });
    await rm(sshFolder(join(this.scratch, sourceId)), { recursive: true, force: true });
    await rm(join(this.vectors, sourceId), { recursive: true, force: true });
  }

  /**
   * Starts the workers, once, when history is folded. Leases are declared lost before any worker of
   * this process can hold one.
   */
  private async begin(): Promise<void> {
    if (this.state !== 'starting') return;
    if (this.options.loseAllLeases) await this.supervisor.loseAll();
    if (this.consuming.signal.aborted) return;
    this.processes.warm();
    const { pool, fetchers, pdfs, runs, scratch, vectors } = this;
    this.consumers = consumeStages(
      {
        ...this.dependencies,
        pool,
        fetchers,
        pdfs,
        runs,
        scratch,
        vectors,
        sources: new JobSources(this.dependencies.eventStore),
        mayDeleteBlobs: () => !this.collection.isPaused,
        onLeftBlobs: () => this.collection.request(),
      },
      this.options,
      this.consuming.signal,
    );
    // A process that was killed may have left blobs.
    this.collection.request();
    this.state = 'running';
  }
}
