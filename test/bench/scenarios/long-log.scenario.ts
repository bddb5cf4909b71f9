import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import type { ProposedEvent, RecordedEvent } from '#contracts';
import { dataFolders } from '#engines';
import { type EventStore, openSqliteEventStore } from '#event-store';
import { mapBounded, uuidv7 } from '#platform';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { residentMiB } from '../measure.js';
import { processorSeconds } from '../process-time.js';
import type { Figure } from '../report.js';
import { smallLibrary, writeBareRepository } from '../small-repository.js';
import type { Scenario } from './scenario.js';

const EVENTS = 1_000_000;
const SOURCES = 50;
/** Events between two starts: a start that reads more exceeds the wait of the harness. */
const SLICE = 100_000;
const APPENDS_AT_ONCE = 64;
const READY_TARGET_MS = 3_000;
const SYNC_TARGET_MS = 5_000;
const LIMIT_MS = 1_800_000;
const LOOK_EVERY_MS = 20;

/**
 * Start of the whole service on a long log of syncs without changes, after a stop and after a kill.
 * Measured until every part is ready, and until a sync requested then has ended. `--events` sets
 * the length of the log.
 */
export const longLogScenario: Scenario = {
  name: 'long-log',
  async run({ scratch, events: wanted = EVENTS, say, note }): Promise<readonly Figure[]> {
    const service = await TwoTenantService.start(ROOMY);
    try {
      const sources = await syncTwice(service, scratch);
      let written = 0;
      while (written < wanted) {
        const slice = Math.min(SLICE, wanted - written);
        await service.stop();
        written += await repeatSyncs(service.dataDir, sources, slice);
        await service.startAgain();
        await until(service, projectionsAtHead);
        say(`${written} events written and projected`);
      }
      note(
        'log',
        `${written} events of syncs without changes, in ${sources.length} sources with five files each`,
      );
      const figures: Figure[] = [];
      await service.stop();
      figures.push(...(await measureStart('after a stop', service, sources[0] ?? '')));
      await service.service.kill();
      figures.push(...(await measureStart('after a kill', service, sources[1] ?? '')));
      return figures;
    } finally {
      await service.dispose();
    }
  },
};

/** Registers small repositories and syncs each twice: the second sync finds no change. */
async function syncTwice(service: TwoTenantService, scratch: string): Promise<readonly string[]> {
  const sources: string[] = [];
  for (let index = 0; index < SOURCES; index += 1) {
    const path = join(scratch, `${index}.git`);
    writeBareRepository(path, smallLibrary(index));
    const { id } = await service.first.createRepo(`library ${index}`, pathToFileURL(path).href);
    await service.first.syncToEnd(id);
    await service.first.syncToEnd(id);
    sources.push(id);
  }
  return sources;
}

/** Appends the events of each source's last sync again and again. Returns how many. */
async function repeatSyncs(
  dataDir: string,
  sources: readonly string[],
  wanted: number,
): Promise<number> {
  const store = await openSqliteEventStore({
    directory: dataFolders(dataDir).log,
    onFatal: (error) => {
      throw error;
    },
  });
  try {
    let written = 0;
    const signal = new AbortController().signal;
    await mapBounded(sources, APPENDS_AT_ONCE, signal, async (source) => {
      const sync = await lastSync(store, source);
      const share = Math.ceil(wanted / sources.length);
      for (let own = 0; own < share; own += sync.job.length + 1) {
        const id = uuidv7();
        const again = (event: RecordedEvent) => repeated(event, sync.id, id);
        await store.append(`source-${source}`, [again(sync.request)], 'exists');
        await store.append(`job-${id}`, sync.job.map(again), 'none');
        written += sync.job.length + 1;
      }
    });
    return written;
  } finally {
    await store.close();
  }
}

interface Sync {
  readonly id: string;
  readonly request: RecordedEvent;
  readonly job: readonly RecordedEvent[];
}

/** @throws Error if the last event of the source is no request of a sync. */
async function lastSync(store: EventStore, source: string): Promise<Sync> {
  for await (const request of store.read(`source-${source}`, { backwards: true, limit: 1 })) {
    const { job_id: id } = request.data as { readonly job_id?: string };
    if (request.type !== 'SourceSyncRequested' || id === undefined) break;
    const job: RecordedEvent[] = [];
    for await (const event of store.read(`job-${id}`)) job.push(event);
    return { id, request, job };
  }
  throw new Error(`Source ${source} does not end with the request of a sync`);
}

/** Returns an event as that of another job, now. */
function repeated({ type, data, metadata }: RecordedEvent, from: string, to: string) {
  const text = JSON.stringify({ data, metadata }).replaceAll(from, to);
  const copy = JSON.parse(text) as Pick<ProposedEvent, 'data' | 'metadata'>;
  const occurred_at = new Date().toISOString();
  return { id: uuidv7(), type, data: copy.data, metadata: { ...copy.metadata, occurred_at } };
}

async function measureStart(
  how: string,
  service: TwoTenantService,
  source: string,
): Promise<readonly Figure[]> {
  const began = performance.now();
  await service.startAgain();
  const answers = performance.now() - began;
  await until(service, ({ detail = '', name }) => name !== 'pipeline' || /^running/.test(detail));
  const ready = performance.now() - began;
  await service.first.syncToEnd(source);
  const synced = performance.now() - began;
  const { pid } = service.service;
  const processor = processorSeconds(pid) ?? 0;
  const resident = residentMiB(pid) ?? 0;
  const at = `start ${how}`;
  return [
    { what: `${at}: until requests are answered`, ...time(answers) },
    { what: `${at}: until every part is ready`, ...time(ready, READY_TARGET_MS) },
    { what: `${at}: until a sync requested then has ended`, ...time(synced, SYNC_TARGET_MS) },
    {
      what: `${at}: processor time and memory until then`,
      measured: `${processor.toFixed(1)} s, ${resident.toFixed(0)} MiB`,
      raw: { processor, resident },
    },
  ];
}

function time(milliseconds: number, target?: number) {
  const measured = `${(milliseconds / 1_000).toFixed(2)} s`;
  if (target === undefined) return { measured, raw: { milliseconds } };
  const met = milliseconds <= target;
  return { measured, target: `≤ ${target / 1_000} s`, met, raw: { milliseconds } };
}

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly detail?: string;
}

function projectionsAtHead({ name, detail }: Check): boolean {
  return !name.startsWith('projection_') || detail === 'at the head';
}

/** Waits until the service is ready and all its checks fit. */
async function until(service: TwoTenantService, fits: (check: Check) => boolean): Promise<void> {
  const deadline = performance.now() + LIMIT_MS;
  for (;;) {
    const { status, body } = await service.first.call<{ readonly checks: readonly Check[] }>(
      'GET',
      '/health/ready',
    );
    if (status === 200 && body.checks.every(fits)) return;
    if (performance.now() > deadline)
      throw new Error(`The service is not ready: ${JSON.stringify(body)}`);
    await delay(LOOK_EVERY_MS);
  }
}
