import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { EVENT_DEFINITIONS, type StageMessage } from '#contracts';
import { checkDomain } from '#domain';
import { STREAM_KINDS } from '#domain/streams';
import type { EventStore } from '#event-store';
import type { Fetchers } from '#ingest';
import { createFetchers } from '#ingest/fetch/fetchers';
import { removeStrayKeys, sshFolder } from '#ingest/git/ssh-files';
import { PdfParser } from '#ingest/pdf/pdf-parser';
import type { Embedder } from '#models';
import {
  alwaysHeld,
  type BlobStore,
  type Clock,
  type Config,
  type KeyRing,
  type LeaseHolder,
  type Logger,
  uuidv7,
} from '#platform';
import { ProcessHelper } from '#platform/process/helper/process-helper';
import type { WorkQueue } from '#queue';

import { BlobCollection, type CollectedBlobs } from './collection/blob-collection.js';
import { Dispatcher } from './dispatcher/dispatcher.js';
import { Ledger } from './dispatcher/ledger.js';
import { Erasures } from './erasure/erasures.js';
import { followRenewals } from './dispatcher/renewals.js';
import { Supervisor } from './dispatcher/supervisor.js';
import { Tasks } from './dispatcher/tasks.js';
import { PackageRetention } from './packages/package-retention.js';
import { Scheduler } from './scheduler/scheduler.js';
import type { IndexedGenerations } from './indexed-generations.js';
import { STAGE_FUNCTIONS } from './stages/stages.js';
import { type StageFunction, WORKER_STAGES, type WorkerStage } from './stages/stage.types.js';
import { topicOf } from './worker/stage-message.js';
import { ActiveRuns } from './worker/active-runs.js';
import { StageWorker } from './worker/stage-worker.js';
import { ThreadPool } from './thread-pool/thread-pool.js';

export interface PipelineDependencies {
  readonly eventStore: EventStore;
  readonly queue: WorkQueue;
  readonly blobs: BlobStore;
  readonly keyRing: KeyRing;
  readonly indexedGenerations: IndexedGenerations;
  readonly embedder: Embedder;
  readonly config: Pick<
    Config,
    | 'jobs'
    | 'limits'
    | 'quota'
    | 'pdf'
    | 'network'
    | 'packages'
    | 'packageSearch'
    | 'github'
    | 'git'
    | 'crawl'
    | 'workerThreads'
    | 'dataDir'
  >;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Tells whether the log and the content belong together, both read anew. */
  readonly identity: { confirm(store: 'blobs'): Promise<void> };
}

export interface PipelineOptions {
  /** Declare at the start that no lease is held: true where this process is the only one. Default false. */
  readonly loseAllLeases?: boolean;
  /** Decides which of several processes dispatches and supervises. Default: this one, as the only one. */
  readonly leases?: LeaseHolder;
  /** Messages of one stage that are worked on at once; a tenant has half of them at most. Default: the configured. */
  readonly concurrency?: number;
  /** How long the writer of a first append is given for its second, milliseconds. Default 1,000. */
  readonly graceMs?: number;
  /** What fetchers keep between syncs, such as bare repositories. Default `scratch/git` in the data folder. */
  readonly scratchDirectory?: string;
  /** Folder of the grammars. Default: where the build puts them. */
  readonly grammarsDirectory?: string;
  /** Where the documents of each type of source come from. Default: what this version can read. */
  readonly fetchers?: Fetchers;
  /** What does the work of a stage. Default: the stages of this version. */
  readonly stages?: Partial<Readonly<Record<WorkerStage, StageFunction>>>;
}

export interface PipelineHealth {
  readonly state: 'starting' | 'running' | 'failing' | 'stopped';
  /** Whether this process dispatches and supervises for all. */
  readonly leads: boolean;
  /** Position of the newest event that the dispatcher has considered. */
  readonly position: string | null;
  readonly open_jobs: number;
  /** Since the open job that nobody has moved for the longest time last moved, milliseconds. */
  readonly longest_silence_ms: number;
  readonly error?: string;
}

export interface Pipeline {
  /** Resolves at once; work begins when the history is folded. @throws Error when the domain is not complete. */
  start(): Promise<void>;
  /** Ends the consumers, then everything else. What was under way is taken up by the next start. */
  stop(): Promise<void>;
  health(): PipelineHealth;
  /**
   * Removes blobs that nothing needs and that are older than a day and than any attempt at work; nothing unless log and
   * content are found to belong together in that very round. Runs hourly by itself.
   */
  collect(): Promise<CollectedBlobs>;
  /** Keeps the collection of blobs away while `work` runs; one under way stops. For backups. */
  pauseCollection<T>(work: () => Promise<T>): Promise<T>;
}

const COLLECT_EVERY_MS = 3_600_000;
/** PDFs read at once; each may take PDF_MAX_MEMORY. */
const PDF_PROCESSES = 2;
const SCHEDULE_EVERY_MS = 1_000;
const ERASE_EVERY_MS = 500;
const PACKAGES_EVERY_MS = 1_000;
const GRAMMARS = fileURLToPath(new URL('../../grammars', import.meta.url));

/** Puts the pipeline together: dispatcher, supervisor and a worker for every stage. */
export function createPipeline(dependencies: PipelineDependencies, options: PipelineOptions = {}): Pipeline {
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
    const { eventStore: store, queue, indexedGenerations: indexed, clock, logger, config } = dependencies;
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
    this.fetchers = options.fetchers ?? createFetchers(config, dependencies.blobs, this.processes.start);
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
      onSourceGone: (sourceId) => this.clearScratch(sourceId),
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
    this.collection = new BlobCollection({
      ...dependencies,
      ledger,
      runs,
      mayCollect: () => this.state === 'running' && this.dispatcher.leads,
    });
    const isAlone = (options.leases ?? alwaysHeld()).soleProcess;
    this.erasures = new Erasures({
      ...{ store, blobs: dependencies.blobs, keyRing: dependencies.keyRing, indexed, clock, ledger, runs, logger },
      clearScratch: (sourceId) => this.clearScratch(sourceId),
      graceMs: options.graceMs ?? 1_000,
      foreignAttemptMs: isAlone ? 0 : config.jobs.stageTimeoutSeconds * 1_000,
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

  /** Begins the work, once: leases are declared lost before any worker of this process can hold one. */
  private async caughtUp(): Promise<void> {
    if (this.state !== 'starting') return;
    if (this.options.loseAllLeases) await this.supervisor.loseAll();
    if (this.consuming.signal.aborted) return;
    this.processes.warm();
    this.consumers = WORKER_STAGES.map((stage) => this.consume(stage));
    this.every(Math.min(1_000, this.leaseMs / 4), 'Leases could not be inspected', async () => {
      if (this.dispatcher.leads) await this.supervisor.inspect();
    });
    this.every(SCHEDULE_EVERY_MS, 'What is due could not be started', () => this.scheduler.look());
    this.every(ERASE_EVERY_MS, 'What was erased could not be destroyed', () => this.erasures.look());
    this.every(PACKAGES_EVERY_MS, 'Packages could not be dropped', () => this.packages.look());
    this.every(COLLECT_EVERY_MS, 'Blobs could not be collected', () => this.collect());
    this.state = 'running';
  }

  private consume(stage: WorkerStage): Promise<void> {
    const { eventStore, queue, clock, logger, config, embedder } = this.dependencies;
    const { stages = {} } = this.options;
    const worker = new StageWorker(stage, {
      workOf: (each) => stages[each] ?? STAGE_FUNCTIONS[each],
      isPrompt: (each) => each !== 'embed' || embedder.local,
      store: eventStore,
      clock,
      logger,
      config,
      runs: this.runs,
      stopping: this.consuming.signal,
      processId: uuidv7(),
      contextFor: (message) => this.contextFor(message),
    });
    const { signal } = this.consuming;
    return queue
      .consume(topicOf(stage), (delivery) => worker.handle(delivery), {
        concurrency: this.options.concurrency ?? config.jobs.stageConcurrency,
        byTenant: true,
        ...(this.options.concurrency === undefined && { mostOfTenant: config.jobs.stagePlacesPerTenant }),
        signal,
      })
      .catch((error: unknown) => logger.fatal({ err: error, stage }, 'A stage has no consumer any more'));
  }

  private contextFor({ source_id, job_id, stage }: StageMessage) {
    const { blobs, keyRing, indexedGenerations: indexed, embedder, config, clock, logger } = this.dependencies;
    return {
      blobs,
      keyRing,
      indexed,
      pool: this.pool,
      embedder,
      fetchers: this.fetchers,
      pdfs: this.pdfs,
      config,
      clock,
      logger: logger.child({ job_id, stage }),
      scratch: join(this.scratch, source_id),
      vectorScratch: join(this.vectors, source_id),
    };
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
