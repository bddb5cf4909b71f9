import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { ApiClient } from '#test/support/api-client';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { LoopDelay } from '../loop-delay.js';
import { distribution, residentMiB } from '../measure.js';
import type { Figure } from '../report.js';
import { HostileRequests } from '../soak/hostile-requests.js';
import { HostileSite } from '../soak/hostile-site.js';
import { Ledger } from '../soak/ledger.js';
import { PatientClient } from '../soak/soaked-service.js';
import type { BenchContext, Scenario } from './scenario.js';

const SYNCS = 3;
const SEARCHES = 30;
/** The value that counts for a sync without an answer by then. */
const LONGEST_SYNC_MS = 90_000;
const PROBE_PAUSE_MS = 20;
const REPEAT_MS = 1_000;
const MOVE_MS = 60_000;
const TIMES = 2;
/** Differences below these are noise, whatever their ratio. */
const NOISE_MS = { sync: 250, search: 25 };
const HELD_MS = 50;
const REPORTED_MS = 1_200;

/** The times that a tenant notices while it works. */
interface Noticed {
  readonly sync: number;
  readonly search: number;
  /** Longest hold of the event loop, reported by the process itself. */
  readonly held: number;
  /**
   * Longest answer of `/health/live`, which waits for nothing but the event loop and a processor.
   */
  readonly health: number;
}

/**
 * Measures small syncs and searches of one tenant alone, and next to another tenant or a stranger
 * who repeats one expensive request. Each attack has its own service, on servers by
 * `npm run bench:stack -- neighbors`. With `--before` the same is measured with an earlier build.
 */
export const neighborsScenario: Scenario = {
  name: 'neighbors',
  async run({ scratch, say, before, only }: BenchContext): Promise<readonly Figure[]> {
    const [site, ruledSite] = [await HostileSite.listen(), await HostileSite.listen(true)];
    const figures: Figure[] = [];
    try {
      const around = {
        site,
        ruledSite,
        serviceUrl: '',
        ledger: new Ledger(new PatientClient('', '')),
      };
      const attacks = Object.keys(new HostileRequests(around).moves);
      for (const attack of attacks.filter((name) => only?.includes(name) ?? true)) {
        const figure = await measured({
          attack,
          scratch,
          site,
          ruledSite,
          ...(before !== undefined && { before }),
        });
        say(`${attack}: ${figure.measured}`);
        figures.push(figure);
      }
    } finally {
      for (const server of [site, ruledSite]) await server.close();
    }
    return figures;
  },
};

interface Attack {
  readonly attack: string;
  readonly scratch: string;
  readonly site: HostileSite;
  readonly ruledSite: HostileSite;
  readonly before?: string;
}

async function measured({ attack, scratch, site, ruledSite, before }: Attack): Promise<Figure> {
  const loop = new LoopDelay(join(scratch, `${attack.replaceAll(' ', '-')}.delays`));
  const environment = { ...ROOMY, ALLOW_PRIVATE_NETWORKS: 'true', ...loop.environment };
  const service = await TwoTenantService.start(environment, {}, before);
  try {
    const client = service.first;
    const source = await client.expect<{ id: string }>('POST', '/sources', {
      name: 'Plain',
      source_type: 'docs',
      url: `${site.url}/plain`,
    });
    await client.syncToEnd(source.id);
    const work = () => noticed(service.url, client, source.id, loop);
    const alone = await work();
    const memoryBefore = residentMiB(service.service.pid) ?? 0;

    const ledger = new Ledger(new PatientClient(service.url, service.secondKey));
    const requests = new HostileRequests({ site, ruledSite, serviceUrl: service.url, ledger });
    const stop = new AbortController();
    const attacking = repeated(requests.moves[attack] as () => Promise<void>, stop.signal);
    await delay(REPEAT_MS);
    const beside = await work();
    const memoryAfter = residentMiB(service.service.pid) ?? 0;
    stop.abort();
    await Promise.race([attacking, delay(MOVE_MS)]);
    return figureOf(attack, alone, beside, memoryAfter - memoryBefore);
  } finally {
    await service.dispose();
  }
}

async function repeated(move: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await move().catch(() => undefined);
    await delay(REPEAT_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function noticed(
  url: string,
  client: ApiClient,
  sourceId: string,
  loop: LoopDelay,
): Promise<Noticed> {
  const from = Date.now();
  const ended = new AbortController();
  const probing = longestAnswer(url, ended.signal);
  const syncs: number[] = [];
  for (let count = 0; count < SYNCS; count += 1)
    syncs.push(await timed(() => client.syncToEnd(sourceId, LONGEST_SYNC_MS)));
  const searches: number[] = [];
  for (let count = 0; count < SEARCHES; count += 1)
    searches.push(await timed(() => client.search('plainword of the page')));
  ended.abort();
  const health = await probing;
  // Its delay is reported a second later at most, or when the loop is free again.
  await delay(REPORTED_MS);
  const held = loop.longest(from, Date.now());
  return { sync: distribution(syncs).p50, search: distribution(searches).p95, held, health };
}

/** Milliseconds that work took; work that failed or was not answered took the longest time. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  const took = await work().then(
    () => performance.now() - from,
    () => LONGEST_SYNC_MS,
  );
  return Math.min(took, LONGEST_SYNC_MS);
}

async function longestAnswer(url: string, signal: AbortSignal): Promise<number> {
  let longest = 0;
  while (!signal.aborted) {
    longest = Math.max(
      longest,
      await timed(() =>
        fetch(`${url}/health/live`, { signal: AbortSignal.timeout(LONGEST_SYNC_MS) }),
      ),
    );
    await delay(PROBE_PAUSE_MS);
  }
  return longest;
}

function figureOf(attack: string, alone: Noticed, beside: Noticed, grown: number): Figure {
  const isWithin = (what: 'sync' | 'search') =>
    beside[what] <= Math.max(TIMES * alone[what], alone[what] + NOISE_MS[what]);
  const pair = (what: keyof Noticed) =>
    `${beside[what].toFixed(0)} ms (alone ${alone[what].toFixed(0)})`;
  return {
    what: `beside ${attack}`,
    measured:
      `sync p50 ${pair('sync')}, search p95 ${pair('search')}, event loop held ${pair('held')}, /health/live ${pair('health')}, ` +
      `resident memory + ${grown.toFixed(0)} MiB`,
    target: `sync and search ≤ ${TIMES} times as long, event loop held ≤ ${HELD_MS} ms`,
    met:
      isWithin('sync') &&
      isWithin('search') &&
      beside.held <= Math.max(HELD_MS, TIMES * alone.held),
    raw: { ...rawOf('alone', alone), ...rawOf('beside', beside), grown },
  };
}

function rawOf(name: string, { sync, search, held, health }: Noticed): Record<string, number> {
  return {
    [`${name}_sync`]: sync,
    [`${name}_search`]: search,
    [`${name}_held`]: held,
    [`${name}_health`]: health,
  };
}
