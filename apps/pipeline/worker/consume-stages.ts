import { join } from 'node:path';

import type { StageMessage } from '#contracts';
import type { Fetchers } from '#ingest';
import type { PdfParser } from '#ingest/pdf/pdf-parser';
import { NO_TRACER, uuidv7 } from '#platform';

import { AttemptBlobs, type GivenParts } from '../artifacts/attempt-blobs.js';
import type { PipelineDependencies, PipelineOptions } from '../pipeline.types.js';
import type { JobSources } from '../stages/job-sources.js';
import { WORKER_STAGES, type WorkerStage } from '../stages/stage.types.js';
import { STAGE_FUNCTIONS } from '../stages/stages.js';
import type { ThreadPool } from '../thread-pool/thread-pool.js';
import type { ActiveRuns } from './active-runs.js';
import { topicOf } from './stage-message.js';
import { StageWorker } from './stage-worker.js';

/** The dependencies of the stages of a process, besides the engines. */
export interface StageConsumersDependencies extends PipelineDependencies {
  readonly runs: ActiveRuns;
  readonly sources: JobSources;
  readonly pool: ThreadPool;
  readonly fetchers: Fetchers;
  readonly pdfs: PdfParser;
  /**
   * Folders with a folder for each source: stored files of fetchers, and vectors that no pack has
   * yet.
   */
  readonly scratch: string;
  readonly vectors: string;
  /** See `AttemptBlobs`. */
  readonly mayDeleteBlobs: () => boolean;
  /** Reports that blobs were left that no event names. */
  readonly onLeftBlobs: () => void;
}

/** Takes the messages of every stage, each with places of its own, until the signal aborts. */
export function consumeStages(
  dependencies: StageConsumersDependencies,
  options: Pick<PipelineOptions, 'stages' | 'concurrency'>,
  signal: AbortSignal,
): Promise<void>[] {
  return WORKER_STAGES.map((stage) => consume(stage, dependencies, options, signal));
}

function consume(
  stage: WorkerStage,
  dependencies: StageConsumersDependencies,
  { stages = {}, concurrency }: Pick<PipelineOptions, 'stages' | 'concurrency'>,
  signal: AbortSignal,
): Promise<void> {
  const { eventStore, queue, clock, logger, config, embedder, runs } = dependencies;
  const worker = new StageWorker(stage, {
    workOf: (each) => stages[each] ?? STAGE_FUNCTIONS[each],
    isPrompt: (each) => each !== 'embed' || embedder.local,
    store: eventStore,
    clock,
    logger,
    tracer: dependencies.tracer ?? NO_TRACER,
    config,
    runs,
    stopping: signal,
    processId: uuidv7(),
    contextFor: (message) => contextFor(message, dependencies),
    blobsFor: (message, attempt, given) => blobsFor(message, attempt, given, dependencies),
  });
  return queue
    .consume(topicOf(stage), (delivery) => worker.handle(delivery), {
      concurrency: concurrency ?? config.jobs.stageConcurrency,
      byTenant: true,
      ...(concurrency === undefined && { mostOfTenant: config.jobs.stagePlacesPerTenant }),
      signal,
    })
    .catch((error: unknown) =>
      logger.fatal({ err: error, stage }, 'A stage has no consumer any more'),
    );
}

function contextFor(
  { source_id, job_id, stage }: StageMessage,
  dependencies: StageConsumersDependencies,
) {
  const { keyRing, indexedGenerations: indexed, embedder, config, clock, logger } = dependencies;
  const { sources, pool, fetchers, pdfs, scratch, vectors } = dependencies;
  return {
    sources,
    keyRing,
    indexed,
    pool,
    embedder,
    fetchers,
    pdfs,
    config,
    clock,
    logger: logger.child({ job_id, stage }),
    scratch: join(scratch, source_id),
    vectorScratch: join(vectors, source_id),
  };
}

function blobsFor(
  { tenant_id, source_id, job_id, stage }: StageMessage,
  signal: AbortSignal,
  given: GivenParts | undefined,
  {
    blobs: store,
    keyRing,
    logger,
    mayDeleteBlobs: mayDelete,
    onLeftBlobs: onLeft,
  }: StageConsumersDependencies,
): AttemptBlobs {
  const dependencies = {
    store,
    keyRing,
    logger: logger.child({ job_id, stage }),
    mayDelete,
    onLeft,
  };
  return new AttemptBlobs({ tenant_id, source_id, job_id }, signal, dependencies, given);
}
