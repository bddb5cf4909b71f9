import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import type { ApiClient } from '#test/support/api-client';
import { ROOMY } from '#test/support/limits';
import { ON_STACK } from '#test/support/stack/stack-environment';
import { TwoTenantService } from '#test/support/two-tenants';

import {
  type Progress,
  registerFleet,
  requireCompleted,
  startSyncs,
  untilSynced,
} from '../fleet.js';
import { LoopDelay } from '../loop-delay.js';
import { distribution, timed } from '../measure.js';
import { processorSeconds } from '../process-time.js';
import type { Figure } from '../report.js';
import { smallLibrary, writeBareRepository } from '../small-repository.js';
import type { BenchContext, Scenario } from './scenario.js';

const SIZES = [60, 600, 3_000];
const TARGET_PER_SECOND = 10;
/** After so many minutes of one size, what has not been synced yet counts as not synced. */
const MINUTES = 6;
/** The pause between two requests of the readers that run during the syncs. */
const PAUSE_MS = 100;

/** Syncs many small repositories at once in one service, and measures reads at the same time. */
export const fleetScenario: Scenario = {
  name: 'fleet',
  async run(context: BenchContext): Promise<readonly Figure[]> {
    const figures: Figure[] = [];
    context.note(
      'fleet',
      'bare repositories of five generated files (3 KiB), read over file:// from the same disk',
    );
    for (const size of context.sizes ?? SIZES) figures.push(...(await syncFleet(size, context)));
    return figures;
  },
};

async function syncFleet(
  size: number,
  { scratch, say, minutes = MINUTES }: BenchContext,
): Promise<readonly Figure[]> {
  const folder = join(scratch, `fleet-${size}`);
  mkdirSync(folder);
  const loop = new LoopDelay(join(scratch, `loop-${size}.txt`));
  const service = await TwoTenantService.start(
    ON_STACK ? ROOMY : { ...ROOMY, ...loop.environment },
  );
  try {
    const { first: client } = service;
    const sources = await registerFleet(client, size, folder);
    say(`${size} repositories are registered`);
    await warmUp(client, folder);
    const { pid } = service.service;
    const used = processorSeconds(pid);
    const from = Date.now();
    const readers = [
      new Reader(() => client.expect('GET', '/sources')),
      new Reader((turn) => find(client, turn, size)),
    ];
    const sent = startSyncs(client, sources);
    const progress = await untilSynced(client, size, minutes * 60_000, 1);
    await sent;
    const [listing = [], searching = []] = await Promise.all(
      readers.map((reader) => reader.stop()),
    );
    const seconds = progress.at(-1)?.seconds ?? 0;
    const synced = progress.at(-1)?.ended ?? 0;
    const processor = ((processorSeconds(pid) ?? 0) - (used ?? 0)) / synced;
    await requireCompleted(client, synced);
    say(`${synced} of ${size} in ${seconds.toFixed(1)} s`);
    // The probe reports each second.
    await delay(1_100);
    const blocked = ON_STACK ? null : loop.longest(from, Date.now());
    return figuresOf(size, { synced, seconds, processor, blocked, listing, searching, progress });
  } finally {
    await service.dispose();
  }
}

/** One sync before the others: a service that runs has its threads and grammars. */
async function warmUp(client: ApiClient, folder: string): Promise<void> {
  const path = join(folder, 'first.git');
  writeBareRepository(path, smallLibrary(1_000_000));
  await client.syncToEnd((await client.createRepo('first', pathToFileURL(path).href)).id);
}

interface Measured {
  readonly synced: number;
  readonly seconds: number;
  /** Seconds a sync, of the service and all that it started. */
  readonly processor: number;
  readonly blocked: number | null;
  readonly listing: readonly number[];
  readonly searching: readonly number[];
  readonly progress: readonly Progress[];
}

function figuresOf(size: number, measured: Measured): readonly Figure[] {
  const { synced, seconds, processor, blocked, progress } = measured;
  const rate = synced / seconds;
  const first = rateBetween(progress, 0, synced / 5);
  const last = rateBetween(progress, (synced * 4) / 5, synced);
  const at = `${size} small repositories synced at once`;
  const all = synced === size ? '' : `, ${size - synced} not synced`;
  const listing = distribution(measured.listing);
  const searching = distribution(measured.searching);
  return [
    {
      what: at,
      measured: `${rate.toFixed(1)} syncs/s (first fifth ${first.toFixed(1)}, last ${last.toFixed(1)})${all}`,
      target: `≥ ${TARGET_PER_SECOND}/s`,
      met: synced === size && rate >= TARGET_PER_SECOND,
      raw: { size, synced, seconds, rate, first, last },
    },
    {
      what: `${at}: processor time a sync`,
      measured: `${(processor * 1_000).toFixed(0)} ms`,
      raw: { processor },
    },
    ...[
      { what: 'GET /sources', times: listing },
      { what: 'POST /search', times: searching },
    ].map(({ what, times }) => ({
      what: `${what} during the syncs (${size})`,
      measured: `p50 ${times.p50.toFixed(0)} ms, p95 ${times.p95.toFixed(0)} ms, max ${times.max.toFixed(0)} ms`,
      raw: { ...times },
    })),
    ...(blocked === null
      ? []
      : [
          {
            what: `longest block of the event loop (${size})`,
            measured: `${blocked.toFixed(0)} ms`,
            raw: { blocked },
          },
        ]),
  ];
}

/** Jobs that ended within a share of all, a second. */
function rateBetween(progress: readonly Progress[], from: number, to: number): number {
  const start = progress.findLast(({ ended }) => ended <= from) ?? { seconds: 0, ended: 0 };
  const end = progress.find(({ ended }) => ended >= to) ?? progress.at(-1) ?? start;
  return end.seconds > start.seconds
    ? (end.ended - start.ended) / (end.seconds - start.seconds)
    : 0;
}

async function find(client: ApiClient, turn: number, size: number): Promise<void> {
  await client.search(
    turn % 2 === 0 ? `amberamber${(turn * 16) % size} field` : 'opens the store and keeps a record',
  );
}

/** Asks one thing again and again, by one client, and keeps how long each answer took. */
class Reader {
  private readonly end = new AbortController();
  private readonly times: number[] = [];
  private readonly reading: Promise<void>;

  constructor(ask: (turn: number) => Promise<unknown>) {
    this.reading = this.run(ask);
  }

  async stop(): Promise<readonly number[]> {
    this.end.abort();
    await this.reading;
    return this.times;
  }

  private async run(ask: (turn: number) => Promise<unknown>): Promise<void> {
    for (let turn = 0; !this.end.signal.aborted; turn += 1) {
      this.times.push((await timed(() => ask(turn))).milliseconds);
      await delay(PAUSE_MS);
    }
  }
}
