import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

import { askOwner } from '#apps/standalone/admin/socket';
import { type Stage, type StageAttempt, STAGES } from '#contracts';
import { newApiKeySecret } from '#platform';

import { ApiClient, type JobView, type ResultView, type SourceView } from './api-client.js';
import { TestRepository } from './git-repository.js';
import { plausibleFiles } from './plausible-files.js';
import { type ServiceOptions, ServiceProcess } from './service-process.js';

const MOMENTS = ['start', 'middle', 'end'] as const;
export type Moment = (typeof MOMENTS)[number];

/** Every stage at every moment. */
export const KILLS = STAGES.flatMap((stage) => MOMENTS.map((moment) => ({ stage, moment })));

/** Shares of the time that the stage took undisturbed. */
const SHARES: Readonly<Record<Moment, number>> = { start: 0, middle: 0.5, end: 0.9 };
/** A stage that was over sooner than before is killed earlier in the next try. */
const EARLIER = 0.8;
const TRIES = 10;
const SYNC_MS = 180_000;
const OPERATION_MS = 120_000;
const QUERIES = [
  'adds part 3 of file 41',
  'add40Part2',
  'left right sum',
  'module file 7',
  'subtracts',
  'wholly new',
];

/** The result of a sync: everything that must not depend on its interruptions. */
export interface SyncOutcome {
  readonly status: JobView['status'];
  /**
   * Addressed by its content, so it stands for every document, pack and chunk of the generation.
   */
  readonly manifest: string;
  readonly counters: Readonly<
    Record<'files_processed' | 'chunks_created' | 'chunks_updated' | 'chunks_deleted', number>
  >;
  readonly source: Pick<SourceView, 'file_count' | 'chunk_count' | 'version_ref'>;
  /** The chunk, place, score and text of every result of each query, in order. */
  readonly answers: readonly (readonly string[])[];
  /** Whether `doctor` found nothing wrong. */
  readonly sound: boolean;
}

/** The moment of a kill, as the remaining log shows it. */
export interface Landing {
  /** The job's last event but for progress: `JobStageStarted parse`. */
  readonly last: string;
  /** Since the stage began, milliseconds. */
  readonly after: number;
  /** The share of the expected time of the stage. */
  readonly share: number;
  readonly tries: number;
}

interface LoggedEvent {
  readonly type: string;
  readonly data: { readonly stage?: Stage; readonly manifest?: string };
}

/**
 * Runs `kill -9` of the whole service in a given stage of a sync that adds, changes and removes
 * files. Returns the outcome of the sync after a new start. Every sync begins from a copy of one
 * data folder, so that sources, chunks and packs have the same ids.
 */
export class StageKills {
  private constructor(
    private readonly scratch: string,
    private readonly key: string,
    private readonly sourceId: string,
    /** The result of the sync without a kill. */
    readonly undisturbed: SyncOutcome,
    private readonly timeline: readonly StageAttempt[],
  ) {}

  /**
   * @param files of the repository; a third of them changes, a tenth goes and a tenth comes before
   * the sync.
   */
  static async prepare(scratch: string, files: number): Promise<StageKills> {
    const key = newApiKeySecret().secret;
    const content = plausibleFiles(files + Math.ceil(files / 10));
    const paths = Object.keys(content);
    const first = Object.fromEntries(
      paths.slice(0, files).map((path) => [path, content[path] ?? '']),
    );
    const repository = TestRepository.create(join(scratch, 'repository'), first);
    const service = await ServiceProcess.start(options(join(scratch, 'prepared'), key));
    let sourceId: string;
    try {
      const client = new ApiClient(service.url, key);
      sourceId = (await client.createRepo('Killed', repository.url)).id;
      await client.syncToEnd(sourceId, SYNC_MS);
    } finally {
      await service.stop();
    }
    repository.commit({
      ...Object.fromEntries(paths.slice(files).map((path) => [path, content[path] ?? ''])),
      ...Object.fromEntries(
        everyNth(paths, 3).map((path) => [path, `${content[path]?.replaceAll('sum', 'total')}`]),
      ),
      ...Object.fromEntries(everyNth(paths.slice(0, files), 10).map((path) => [path, null])),
    });
    const blank = { status: 'failed', manifest: '', answers: [], sound: false } as const;
    const none = { files_processed: 0, chunks_created: 0, chunks_updated: 0, chunks_deleted: 0 };
    const source = { file_count: 0, chunk_count: 0 };
    const kills = new StageKills(scratch, key, sourceId, { ...blank, counters: none, source }, []);
    const { outcome, timeline } = await kills.sync();
    return new StageKills(scratch, key, sourceId, outcome, timeline);
  }

  /** The duration of an undisturbed stage, milliseconds. */
  tookMs(stage: Stage): number {
    return tookMs(stage, this.timeline);
  }

  /** @throws Error when the stage was over before every kill. */
  async killed(
    stage: Stage,
    moment: Moment,
  ): Promise<{ readonly outcome: SyncOutcome; readonly landing: Landing }> {
    let expectedMs = this.tookMs(stage);
    for (let tries = 1; tries <= TRIES; tries += 1) {
      const { outcome, timeline, last, after } = await this.sync({
        stage,
        afterMs: SHARES[moment] * expectedMs,
      });
      if (last !== undefined && isWithin(last, stage, moment)) {
        const reported = `${last.type} ${last.data.stage ?? ''}`.trim();
        return { outcome, landing: { last: reported, after, share: after / expectedMs, tries } };
      }
      // A machine that others use is faster at one time than at another.
      expectedMs = Math.min(expectedMs * EARLIER, tookMs(stage, timeline));
    }
    throw new Error(`The stage ${stage} was over before each of ${TRIES} kills`);
  }

  private async sync(kill?: { readonly stage: Stage; readonly afterMs: number }) {
    const dataDir = mkdtempSync(join(this.scratch, 'copy-'));
    cpSync(join(this.scratch, 'prepared'), dataDir, { recursive: true });
    let service = await ServiceProcess.start(options(dataDir, this.key));
    try {
      const jobId = await new ApiClient(service.url, this.key).sync(this.sourceId);
      let last: LoggedEvent | undefined;
      let after = 0;
      if (kill) {
        const began = await stageBegan(kill.stage, { url: service.url, key: this.key, jobId });
        await delay(Math.max(0, kill.afterMs - (performance.now() - began)));
        await service.kill();
        after = performance.now() - began;
        last = this.logged(dataDir, jobId).findLast(({ type }) => type !== 'JobProgressed');
        service = await ServiceProcess.start(options(dataDir, this.key));
      }
      const reported = await this.outcomeOf(service, dataDir, jobId);
      return { ...reported, last, after };
    } finally {
      await service.kill();
    }
  }

  private async outcomeOf(service: ServiceProcess, dataDir: string, jobId: string) {
    const client = new ApiClient(service.url, this.key);
    const job = (await client.finished(jobId, SYNC_MS)) as JobView & {
      readonly timeline: readonly StageAttempt[];
    };
    const { files_processed, chunks_created, chunks_updated, chunks_deleted, status, timeline } =
      job;
    const { file_count, chunk_count, version_ref } = await client.expect<SourceView>(
      'GET',
      `/sources/${this.sourceId}`,
    );
    const searches = await Promise.all(QUERIES.map((query) => client.search(query, { top_k: 20 })));
    const doctor = (await askOwner(dataDir, 'doctor', {}, OPERATION_MS)) as {
      readonly ok: boolean;
    };
    await service.kill();
    const manifest =
      this.logged(dataDir, jobId).find(({ type }) => type === 'JobStaged')?.data.manifest ?? '';
    const outcome: SyncOutcome = {
      status,
      manifest,
      counters: { files_processed, chunks_created, chunks_updated, chunks_deleted },
      source: { file_count, chunk_count, ...(version_ref !== undefined && { version_ref }) },
      answers: searches.map(({ results = [] }) => results.map(shown)),
      sound: doctor.ok,
    };
    return { outcome, timeline };
  }

  /**
   * Returns the events of the job. It reads a copy, because opening a log that was left behind
   * repairs it.
   */
  private logged(dataDir: string, jobId: string): readonly LoggedEvent[] {
    const copy = `${dataDir}-log`;
    cpSync(join(dataDir, 'log'), copy, { recursive: true });
    const database = new DatabaseSync(join(copy, 'events.db'));
    try {
      const rows = database
        .prepare('SELECT type, data FROM events WHERE stream = ? ORDER BY revision')
        .all(`job-${jobId}`);
      return rows.map(({ type, data }) => ({
        type: String(type),
        data: JSON.parse(String(data)) as LoggedEvent['data'],
      }));
    } finally {
      database.close();
    }
  }
}

/**
 * Waits until the stream of a job shows that a stage began, or that the job is over.
 * @returns the time, by the monotonic clock.
 */
export async function stageBegan(
  stage: Stage,
  { url, key, jobId }: { readonly url: string; readonly key: string; readonly jobId: string },
): Promise<number> {
  const response = await fetch(`${url}/jobs/${jobId}/stream`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(SYNC_MS),
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const part of response.body ?? []) {
    text += decoder.decode(part as Uint8Array, { stream: true });
    if (text.includes(`"stage":"${stage}"`) || /^event: done/m.test(text)) return performance.now();
  }
  throw new Error(`The job's stream ended before ${stage}`);
}

/** The first time that it was carried out. */
function tookMs(stage: Stage, timeline: readonly StageAttempt[]): number {
  const attempt = timeline.find((each) => each.stage === stage && each.ended_at !== null);
  if (!attempt?.ended_at) throw new Error(`The sync reports no end of ${stage}`);
  return Date.parse(attempt.ended_at) - Date.parse(attempt.started_at);
}

function shown({ content, score, citation }: ResultView): string {
  const { chunk_id, path, start_line, end_line, version_ref } = citation;
  return [chunk_id, `${path}:${start_line}-${end_line}`, version_ref, score, content].join('\n');
}

function options(dataDir: string, key: string): ServiceOptions {
  return { dataDir, key };
}

function everyNth(paths: readonly string[], step: number): readonly string[] {
  return paths.filter((_, index) => index % step === 1);
}

/** `finalize` begins where `index` ends, and has no start of its own. */
function isWithin({ type, data }: LoggedEvent, stage: Stage, moment: Moment): boolean {
  const begins =
    stage === 'finalize'
      ? type === 'JobStaged'
      : type === 'JobStageStarted' && data.stage === stage;
  const ends =
    stage === 'finalize'
      ? type === 'JobCompleted'
      : stage === 'index'
        ? type === 'JobStaged'
        : type === 'JobStageAdvanced' && data.stage === stage;
  return begins || (moment === 'end' && ends);
}
