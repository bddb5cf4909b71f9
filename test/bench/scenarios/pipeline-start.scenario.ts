import { statSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

import { createPipeline, type Pipeline } from '#apps/pipeline/pipeline';
import type { DomainEvent, ProposedEvent } from '#contracts';
import { dataFolders } from '#engines';
import { type EventStore, openSqliteEventStore } from '#event-store';
import { createHashEmbedder } from '#models';
import {
  aborted,
  FsBlobStore,
  FsKeyRing,
  loadConfig,
  mapBounded,
  silentLogger,
  sleep,
  systemClock,
} from '#platform';
import type { WorkQueue } from '#queue';
import { FakeSearchIndex } from '#test/support/fake-search-index';
import { NO_TRAIL } from '#test/support/no-trail';
import { proposed } from '#test/support/sample-events';

import type { Figure } from '../report.js';
import type { Scenario } from './scenario.js';

const EVENTS = 1_000_000;
const JOBS_PER_SOURCE = 10;
const APPENDS_AT_ONCE = 64;
const DISPATCH_LIMIT_MS = 600_000;
const STAGES = ['fetch', 'parse', 'chunk', 'embed', 'index'] as const;
const definition = {
  source_type: 'repo' as const,
  url: 'https://example.org/a.git',
  branch: 'main',
  include_patterns: [],
  exclude_patterns: [],
};

/**
 * Start of the pipeline on a long log of finished jobs, without and with a snapshot. Measured from
 * the call of `start` until it is ready, and until a sync that is requested then is dispatched.
 */
export const pipelineStartScenario: Scenario = {
  name: 'pipeline-start',
  async run({ scratch, events: wanted = EVENTS, say, note }) {
    const config = loadConfig({ DATA_DIR: scratch, WORKER_THREADS: '1' }, '/');
    const folders = dataFolders(scratch);
    const store = await openSqliteEventStore({
      directory: folders.log,
      onFatal: (error) => {
        throw error;
      },
    });
    try {
      const events = await generate(store, wanted, say);
      note('log', `${events} events of finished jobs, ${JOBS_PER_SOURCE} per source`);
      const published = new Set<string>();
      const engines = {
        eventStore: store,
        queue: recordingQueue(published),
        blobs: await FsBlobStore.open(folders.blobs),
        keyRing: await FsKeyRing.open(folders.keys, undefined),
        indexedGenerations: {
          state: () => Promise.resolve(null),
          nothingLeft: () => Promise.resolve(false),
          hasTakenIn: () => Promise.resolve(true),
        },
        searchIndex: new FakeSearchIndex(),
        readModel: NO_TRAIL,
        embedder: createHashEmbedder(),
        config,
        clock: systemClock,
        logger: silentLogger,
        identity: { confirm: () => Promise.resolve(), logId: () => Promise.resolve('bench') },
      };
      const measure = async (name: string): Promise<[Figure, Figure, Figure]> => {
        say(`start ${name}`);
        const pipeline = createPipeline(engines, { collectAfterMs: Infinity });
        const began = performance.now();
        await pipeline.start();
        await until(() => isReady(pipeline), 'the pipeline to be ready');
        const ready = performance.now() - began;
        const id = name.replaceAll(' ', '-');
        await requestSync(store, id);
        await until(() => published.has(`job-${id}`), 'the sync to be dispatched');
        const dispatched = performance.now() - began;
        const delay = monitorEventLoopDelay({ resolution: 1 });
        delay.enable();
        const stopping = performance.now();
        await pipeline.stop();
        const saved = performance.now() - stopping;
        delay.disable();
        const blocked = delay.max / 1e6;
        return [
          figure(`start ${name}: until ready`, ready),
          figure(`start ${name}: until a new sync is dispatched`, dispatched),
          {
            what: `stop ${name}, which saves a snapshot; longest block of the event loop`,
            measured: `${seconds(saved)}; ${blocked.toFixed(1)} ms`,
            raw: { saved, blocked },
          },
        ];
      };
      const figures = [
        ...(await measure('without a snapshot')),
        ...(await measure('with a snapshot')),
      ];
      const { size } = statSync(`${folders.reactor}/snapshot.jsonl`);
      const measured = `${(size / 1_048_576).toFixed(1)} MiB`;
      return [...figures, { what: 'size of the snapshot', measured, raw: { size } }];
    } finally {
      await store.close();
    }
  },
};

function isReady(pipeline: Pipeline): boolean {
  const { state, leads } = pipeline.health();
  return state === 'running' && leads;
}

function figure(what: string, milliseconds: number): Figure {
  return { what, measured: seconds(milliseconds), raw: { milliseconds } };
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(2)} s`;
}

async function until(holds: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + DISPATCH_LIMIT_MS;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`Waited too long for ${what}`);
    await sleep(2);
  }
}

/** Queue without consumers that records the keys of what is published. */
function recordingQueue(published: Set<string>): WorkQueue {
  let checkpoint: string | null = null;
  return {
    async publish(_topic, messages) {
      for (const { body } of messages) {
        const { job_id } = body as { readonly job_id: string };
        published.add(job_id);
      }
    },
    consume: (_topic, _handler, { signal }) => aborted(signal),
    deadLetters: () => Promise.resolve([]),
    depth: () => Promise.resolve({ waiting: 0, oldestAgeMs: null }),
    loadCheckpoint: () => Promise.resolve(checkpoint),
    saveCheckpoint: async (_name, position) => void (checkpoint = position),
    close: () => Promise.resolve(),
  };
}

async function requestSync(store: EventStore, name: string): Promise<void> {
  const [source_id, job_id] = [`source-${name}`, `job-${name}`];
  const data = { source_id, name, definition };
  await append(store, `source-${source_id}`, [
    { type: 'SourceRegistered', data },
    { type: 'SourceSyncRequested', data: { source_id, job_id } },
  ]);
  await append(store, `job-${job_id}`, [requested({ source_id, job_id, generation: 1 })]);
}

/** Appends whole sources with finished jobs until the log has about `wanted` events. */
async function generate(
  store: EventStore,
  wanted: number,
  say: (line: string) => void,
): Promise<number> {
  const perSource = [...sourceStreams('any')].reduce((sum, [, events]) => sum + events.length, 0);
  const sources = Array.from({ length: Math.ceil(wanted / perSource) }, (_, index) => index);
  let written = 0;
  await mapBounded(sources, APPENDS_AT_ONCE, new AbortController().signal, async (index) => {
    for (const [stream, events] of sourceStreams(`s${index}`)) await append(store, stream, events);
    written += perSource;
    if (index % 1_000 === 0) say(`${written} events written`);
  });
  return written;
}

type Stream = readonly [stream: `${string}-${string}`, events: readonly DomainEvent[]];

function* sourceStreams(source_id: string): Generator<Stream> {
  const generations = Array.from({ length: JOBS_PER_SOURCE }, (_, index) => index + 1);
  const jobOf = (generation: number) => `${source_id}-j${generation}`;
  yield [
    `source-${source_id}`,
    [
      { type: 'SourceRegistered', data: { source_id, name: source_id, definition } },
      ...generations.map((generation) => ({
        type: 'SourceSyncRequested' as const,
        data: { source_id, job_id: jobOf(generation) },
      })),
    ],
  ];
  for (const generation of generations)
    yield [
      `job-${jobOf(generation)}`,
      jobEvents({ source_id, job_id: jobOf(generation), generation }),
    ];
  yield [
    `generation-${source_id}`,
    generations.slice(0, -1).map((generation) => ({
      type: 'GenerationDropped' as const,
      data: { source_id, generation, reason: 'superseded' as const },
    })),
  ];
}

interface JobIds {
  readonly source_id: string;
  readonly job_id: string;
  readonly generation: number;
}

function requested({ source_id, job_id, generation }: JobIds): DomainEvent {
  const terms = { job_id, source_id, generation, base: null, max_retries: 3 };
  return { type: 'JobRequested', data: { ...terms, url: definition.url, source_revision: 0 } };
}

function jobEvents(ids: JobIds): DomainEvent[] {
  const { job_id } = ids;
  const outcome = {
    manifest: 'b'.repeat(64),
    version_ref: `v${ids.generation}`,
    file_count: 120,
    chunk_count: 900,
    bytes: 450_000,
  };
  const counters = { files_processed: 120, chunks_created: 900 };
  const stages = STAGES.flatMap((stage, index): DomainEvent[] => {
    const work = { job_id, stage, attempt: 1 };
    const progress = {
      ...work,
      progress_percent: 20 * index + 5,
      progress_message: `${stage}: 60 of 120 files`,
      stage_details: { files: 60 },
    };
    const next = STAGES[index + 1];
    return [
      { type: 'JobStageStarted', data: { ...work, worker: 'w' } },
      { type: 'JobProgressed', data: progress },
      ...(next
        ? [
            {
              type: 'JobStageAdvanced' as const,
              data: { ...work, next, artifact: 'a'.repeat(64), stage_details: { files: 120 } },
            },
          ]
        : []),
    ];
  });
  return [
    requested(ids),
    ...stages,
    { type: 'JobStaged', data: { ...ids, attempt: 1, ...outcome, stage_details: {} } },
    {
      type: 'JobCompleted',
      data: {
        ...ids,
        ...outcome,
        url: definition.url,
        ...counters,
        chunks_updated: 0,
        chunks_deleted: 0,
      },
    },
  ];
}

async function append(
  store: EventStore,
  stream: `${string}-${string}`,
  events: readonly DomainEvent[],
): Promise<void> {
  const occurred_at = new Date().toISOString();
  const ready: ProposedEvent[] = events.map((event) => proposed(event, { occurred_at }));
  await store.append(stream, ready, 'any');
}
