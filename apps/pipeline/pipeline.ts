import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { EVENT_DEFINITIONS } from '#contracts';
import { checkDomain } from '#domain';
import { STREAM_KINDS } from '#domain/streams';
import { hasEvents } from '#event-store';
import type { Fetchers } from '#ingest';
import { createFetchers } from '#ingest/fetch/fetchers';
import { removeStrayKeys, sshFolder } from '#ingest/git/ssh-files';
import { PdfParser } from '#ingest/pdf/pdf-parser';
import { alwaysHeld } from '#platform';
import { ProcessHelper } from '#platform/process/helper/process-helper';

import { BlobCollection, type CollectedBlobs } from './collection/blob-collection.js';
import { Dispatcher } from './dispatcher/dispatcher.js';
import { Ledger } from './dispatcher/ledger.js';
import { followRenewals } from './dispatcher/renewals.js';
import { Supervisor } from './dispatcher/supervisor.js';
import { Tasks } from './dispatcher/tasks.js';
import { Erasures } from './erasure/erasures.js';
import { PackageRetention } from './packages/package-retention.js';
import type {
  Pipeline,
  PipelineDependencies,
  PipelineHealth,
  PipelineOptions,
} from './pipeline.types.js';
import { Scheduler } from './scheduler/scheduler.js';
import { JobSources } from './stages/job-sources.js';
import { ThreadPool } from './thread-pool/thread-pool.js';
import { ActiveRuns } from './worker/active-runs.js';
import { consumeStages } from './worker/consume-stages.js';

export type { Pipeline, PipelineOptions } from './pipeline.types.js';

const COLLECT_EVERY_MS = 3_600_000;
const COLLECT_AFTER_MS = 2_000;
const COLLECT_REQUESTED_EVERY_MS = 500;
/** PDFs read at once; each may take PDF_MAX_MEMORY. */
const PDF_PROCESSES = 2;
const SCHEDULE_EVERY_MS = 1_000;
const ERASE_EVERY_MS = 500;
const PACKAGES_EVERY_MS = 1_000;
const GRAMMARS = fileURLToPath(new URL('../../grammars', import.meta.url));

/** Puts the pipeline together: dispatcher, supervisor and a worker for every stage. */
export function createPipeline(
  dependencies: PipelineDependencies,
  options: PipelineOptions = {},
): Pipeline {
  return new RunningPipeline(dependencies, options);
}

class RunningPipeline implements Pipeline {
  private readonly stopping = new AbortController();
  private readonly consuming = new AbortController();
  private readonly ledger: Ledger;
  private readonly runs = new ActiveRuns();
  private readonly tasks: Tasks;
  private readonly pool: ThreadPool;
  private readonly processes: ProcessHelper;
  private readonly fetchers: Fetchers;
  private readonly pdfs: PdfParser;
  private readonly dispatcher: Dispatcher;
  private readonly supervisor: Supervisor;
  private readonly scheduler: Scheduler;
  private readonly packages: PackageRetention;
  private readonly collection: BlobCollection;
  private readonly erasures: Erasures;
  private readonly scratch: string;
  private readonly vectors: string;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly loops: Promise<void>[] = [];
  private consumers: Promise<void>[] = [];
  private state: 'starting' | 'running' | 'stopped' = 'starting';

  constructor(
    private readonly dependencies: PipelineDependencies,
    private readonly options: PipelineOptions,
  ) {
    const {
      eventStore: store,
      queue,
      indexedGenerations: indexed,
      clock,
      logger,
      config,
    } = dependencies;
    const { runs } = this;
    const ledger = (this.ledger = new Ledger(clock));
    const tasks = (this.tasks = new Tasks(logger));
    this.scratch = options.scratchDirectory ?? join(config.dataDir, 'scratch', 'git');
    this.vectors = join(config.dataDir, 'scratch', 'vectors');
    this.pool = new ThreadPool({
      size: Math.max(1, config.workerThreads),
      grammarsDirectory: options.grammarsDirectory ?? GRAMMARS,
    });
    this.processes = new ProcessHelper(logger);
    this.fetchers =
      options.fetchers ?? createFetchers(config, dependencies.blobs, this.processes.start);
    this.pdfs = new PdfParser({ limits: config.pdf, processes: PDF_PROCESSES, logger });
    this.dispatcher = new Dispatcher({
      store,
      queue,
      indexed,
      clock,
      logger,
      config,
      ledger,
      tasks,
      runs,
      graceMs: options.graceMs ?? 1_000,
      onCaughtUp: () => this.caughtUp(),
      onSourceGone: async (sourceId) => {
        this.collection.request();
        await this.clearScratch(sourceId);
      },
      onLeftBlobs: () => this.collection.request(),
    });
    this.supervisor = new Supervisor({
      store,
      clock,
      logger,
      ledger,
      leaseMs: this.leaseMs,
      redispatch: (entry) => this.dispatcher.redispatch(entry),
    });
    this.scheduler = new Scheduler({
      ...{ store, clock, logger, maxRetries: config.jobs.maxRetries },
      leads: () => this.state === 'running' && this.dispatcher.leads,
    });
    this.packages = new PackageRetention({
      ...{ store, clock, logger, bounds: config.packageSearch.cache },
      leads: () => this.state === 'running' && this.dispatcher.leads,
    });
    const isAlone = (options.leases ?? alwaysHeld()).soleProcess;
    const foreignAttemptMs = isAlone ? 0 : config.jobs.stageTimeoutSeconds * 1_000;
    this.collection = new BlobCollection({
      ...dependencies,
      ...{ ledger, runs, indexed, foreignAttemptMs },
      knowsSource: (sourceId) => hasEvents(store, `source-${sourceId}`),
      requestWaitsMs: options.collectAfterMs ?? COLLECT_AFTER_MS,
      mayCollect: () => this.state === 'running' && this.dispatcher.leads,
    });
    this.erasures = new Erasures({
      ...{
        store,
        blobs: dependencies.blobs,
        keyRing: dependencies.keyRing,
        indexed,
        clock,
        ledger,
        runs,
        logger,
      },
      clearScratch: (sourceId) => this.clearScratch(sourceId),
      graceMs: options.graceMs ?? 1_000,
      foreignAttemptMs,
      leads: () => this.state === 'running' && this.dispatcher.leads,
    });
  }

  async start(): Promise<void> {
    checkDomain({ kinds: STREAM_KINDS, definitions: EVENT_DEFINITIONS });
    const { eventStore, logger } = this.dependencies;
    await removeStrayKeys(this.scratch);
    const { signal } = this.stopping;
    const leases = this.options.leases ?? alwaysHeld();
    this.loops.push(
      this.dispatcher.run(signal),
      this.scheduler.run(signal),
      this.erasures.run(signal),
      this.packages.run(signal),
      followRenewals(eventStore, this.ledger, logger, signal),
      leases.hold('dispatcher', (held) => this.dispatcher.lead(held), { signal }),
    );
  }

  async stop(): Promise<void> {
    this.state = 'stopped';
    this.timers.forEach(clearInterval);
    this.consuming.abort();
    await Promise.allSettled(this.consumers);
    this.stopping.abort();
    await Promise.allSettled([...this.loops, this.tasks.stop()]);
    this.processes.close();
    await this.pool.close();
  }

  health(): PipelineHealth {
    const { error, position } = this.dispatcher;
    const now = this.dependencies.clock.monotonic();
    const silences = [...this.ledger.jobs.values()].map(({ seenAt }) => now - seenAt);
    return {
      state: error && this.state !== 'stopped' ? 'failing' : this.state,
      leads: this.dispatcher.leads,
      position,
      open_jobs: this.ledger.jobs.size,
      longest_silence_ms: Math.max(0, ...silences),
      ...(error ? { error: error.message } : {}),
    };
  }

  collect(): Promise<CollectedBlobs> {
    return this.collection.run();
  }

  pauseCollection<T>(work: () => Promise<T>): Promise<T> {
    return this.collection.pausedDuring(work);
  }

  /** What is kept of a source between syncs goes with it. */
  private async clearScratch(sourceId: string): Promise<void> {
    await rm(join(this.scratch, sourceId), { recursive: true, force: true });
    await rm(sshFolder(join(this.scratch, sourceId)), { recursive: true, force: true });
    await rm(join(this.vectors, sourceId), { recursive: true, force: true });
  }

  private get leaseMs(): number {
    return this.dependencies.config.jobs.leaseSeconds * 1_000;
  }

  /**
   * Begins the work, once: leases are declared lost before any worker of this process can hold one.
   */
  private async caughtUp(): Promise<void> {
    if (this.state !== 'starting') return;
    if (this.options.loseAllLeases) await this.supervisor.loseAll();
    if (this.consuming.signal.aborted) return;
    this.processes.warm();
    const { eventStore } = this.dependencies;
    const { pool, fetchers, pdfs, runs, scratch, vectors } = this;
    this.consumers = consumeStages(
      {
        ...this.dependencies,
        sources: new JobSources(eventStore),
        pool,
        fetchers,
        pdfs,
        runs,
        scratch,
        vectors,
        mayDeleteBlobs: () => !this.collection.isPaused,
        onLeftBlobs: () => this.collection.request(),
      },
      this.options,
      this.consuming.signal,
    );
    this.every(Math.min(1_000, this.leaseMs / 4), 'Leases could not be inspected', async () => {
      if (this.dispatcher.leads) await this.supervisor.inspect();
    });
    this.every(SCHEDULE_EVERY_MS, 'What is due could not be started', () => this.scheduler.look());
    this.every(ERASE_EVERY_MS, 'What was erased could not be destroyed', () =>
      this.erasures.look(),
    );
    this.every(PACKAGES_EVERY_MS, 'Packages could not be dropped', () => this.packages.look());
    this.every(COLLECT_EVERY_MS, 'Blobs could not be collected', () => this.collect());
    this.every(COLLECT_REQUESTED_EVERY_MS, 'Blobs that were left could not be collected', () =>
      this.collection.look(),
    );
    // What a process that was killed has left.
    this.collection.request();
    this.state = 'running';
  }

  private every(milliseconds: number, complaint: string, work: () => Promise<unknown>): void {
    let busy = false;
    const timer = setInterval(() => {
      if (busy) return;
      busy = true;
      work()
        .catch((error: unknown) => this.dependencies.logger.warn({ err: error }, complaint))
        .finally(() => (busy = false));
    }, milliseconds);
    timer.unref();
    this.timers.push(timer);
  }
}
