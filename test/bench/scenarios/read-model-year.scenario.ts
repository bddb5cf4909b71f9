import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { TABLE_PROJECTIONS } from '#apps/projector/projections/projections';
import { applyBatch } from '#apps/projector/runner/apply-batch';
import type { ProjectedEvent } from '#apps/projector/runner/projection';
import type { DomainEvent, EventMetadata, Position } from '#contracts';
import { folderBytes, silentLogger } from '#platform';
import { openReadModelDataSource, ReadModel } from '#read-model';

import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const SOURCES = 1_000;
const DAYS = 365;
/** Events of one batch at most, as the projector takes them. */
const BATCH = 500;
const MIB = 1024 ** 2;

/** Days of scheduled syncs of 1,000 sources, as events that go through the projections. */
export const readModelYearScenario: Scenario = {
  name: 'read-model-year',
  async run({ scratch, rounds = 40, say, note }: BenchContext): Promise<readonly Figure[]> {
    const directory = join(scratch, 'read-models');
    let slowest = 0;
    let vacuums = 0;
    const logger = {
      ...silentLogger,
      debug: (fields: object) => {
        const { ms } = fields as { ms?: number };
        slowest = Math.max(slowest, ms ?? 0);
        vacuums += 1;
      },
    };
    const dataSource = await openReadModelDataSource({ kind: 'pglite', directory, logger });
    try {
      const readModel = new ReadModel(dataSource);
      const feed = new Feed(readModel);
      await feed.take(Array.from({ length: SOURCES }, (_, at) => registered(at)));
      const figures: Figure[] = [];
      for (let day = 1; day <= rounds; day += 1) {
        for (let from = 0; from < SOURCES; from += 50) {
          await feed.take(Array.from({ length: 50 }, (_, at) => syncOf(from + at, day)).flat());
          // Syncs of a real day are apart by more than the pause that a vacuum waits for.
          if (from % 200 === 150) await pause(1_200);
        }
        if (day % 10 === 0)
          say(`day ${day}: ${((await folderBytes(directory)) / MIB).toFixed(0)} MiB`);
      }
      await pause(5_000);
      for (const {
        table,
        rows,
        liveBytes,
        diskBytes,
        indexBytes,
      } of await readModel.tableSizes()) {
        if (diskBytes < MIB) continue;
        const ratio = diskBytes / liveBytes;
        figures.push({
          what: `${table}, ${rows} rows, on disk in proportion to its live rows`,
          measured: `${ratio.toFixed(2)} (${(diskBytes / MIB).toFixed(1)} MiB, indexes ${(indexBytes / MIB).toFixed(1)} MiB)`,
          target: '2',
          met: ratio <= 2,
          raw: { rows, liveBytes, diskBytes, indexBytes },
        });
      }
      note(
        'simulated',
        `${rounds} of ${DAYS} days, ${SOURCES} sources, a sync without changes each day, 1.2 s without queries after each 200`,
      );
      const wal = await folderBytes(join(directory, 'pg_wal'));
      figures.push({
        what: 'write-ahead log after the last day',
        measured: `${(wal / MIB).toFixed(0)} MiB`,
        target: '64 MiB',
        met: wal <= 65 * MIB,
        raw: { wal },
      });
      figures.push({
        what: `longest of ${vacuums} vacuums`,
        measured: `${slowest} ms`,
        raw: { slowest, vacuums },
      });
      return figures;
    } finally {
      await dataSource.destroy();
    }
  },
};

type Numbered = DomainEvent & Pick<ProjectedEvent, 'occurred_at'>;

/** Applies events as the projector does, batch by batch. */
class Feed {
  private position = 0;
  private before: Position | null = null;

  constructor(private readonly readModel: ReadModel) {}

  async take(events: readonly Numbered[]): Promise<void> {
    const placed = events.map((event): ProjectedEvent => {
      this.position += 1;
      const position = String(this.position).padStart(20, '0') as Position;
      return { ...event, tenant_id: 'tenant', revision: 0, position };
    });
    for (let from = 0; from < placed.length; from += BATCH) {
      const batch = placed.slice(from, from + BATCH);
      const to = batch.at(-1)?.position as Position;
      for (const projection of TABLE_PROJECTIONS) {
        const handled = batch.filter(({ type }) =>
          (projection.handles as readonly string[]).includes(type),
        );
        const { outcome } = await applyBatch(
          this.readModel.dataSource,
          projection,
          1,
          this.before,
          {
            events: handled,
            to,
          },
        );
        if (outcome !== 'advanced')
          throw new Error(`${projection.name} did not take a batch: ${outcome}`);
      }
      this.before = to;
    }
  }
}

const DEFINITION = {
  source_type: 'docs' as const,
  docs_format: 'html' as const,
  url: 'https://docs.example.com/guide',
  doc_urls: Array.from(
    { length: 20 },
    (_, at) => `https://docs.example.com/guide/chapter-${at * 7919}`,
  ),
  include_patterns: ['guide/**'],
  exclude_patterns: [],
};

function at(day: number): EventMetadata['occurred_at'] {
  return new Date(Date.UTC(2026, 0, 1) + day * 86_400_000).toISOString();
}

function registered(source: number): Numbered {
  const data = { source_id: `source-${source}`, name: `Docs ${source}`, definition: DEFINITION };
  return {
    type: 'SourceRegistered',
    data: { ...data, sync_interval_seconds: 86_400 },
    occurred_at: at(0),
  };
}

/** A sync that finds nothing new, its progress included. */
function syncOf(source: number, day: number): Numbered[] {
  const source_id = `source-${source}`;
  const job_id = `job-${source}-${day}`;
  const about = { job_id, source_id };
  const manifest = 'a'.repeat(64);
  const none = { files_processed: 0, chunks_created: 0, chunks_updated: 0, chunks_deleted: 0 };
  const counts = { file_count: 100, chunk_count: 500 };
  const running = { stage: 'fetch' as const, attempt: 1 };
  const progress = {
    progress_percent: 5,
    progress_message: 'Fetched 1 of 2 pages',
    stage_details: { files_fetched: 1 },
  };
  const events: DomainEvent[] = [
    { type: 'SourceSyncRequested', data: { source_id, job_id } },
    {
      type: 'JobRequested',
      data: {
        ...about,
        url: DEFINITION.url,
        source_revision: 0,
        generation: 2,
        base: null,
        max_retries: 3,
      },
    },
    { type: 'JobStageStarted', data: { job_id, ...running, worker: 'worker' } },
    { type: 'JobProgressed', data: { job_id, ...running, ...progress } },
    {
      type: 'JobCompleted',
      data: {
        ...about,
        generation: 1,
        manifest,
        version_ref: `v${day}`,
        url: DEFINITION.url,
        ...counts,
        ...none,
      },
    },
  ];
  return events.map((event) => ({ ...event, occurred_at: at(day) }));
}
