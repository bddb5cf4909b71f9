import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { seeded } from '#platform';

import { residentMiB } from '../measure.js';
import type { Figure } from '../report.js';
import { BusyTenant } from '../soak/busy-tenant.js';
import { folderMiB, type FolderSizes } from '../soak/folder-sizes.js';
import { HostileServer } from '../soak/hostile-server.js';
import { HostileSite } from '../soak/hostile-site.js';
import { HostileTenant } from '../soak/hostile-tenant.js';
import { compare, examine, settle } from '../soak/invariants.js';
import { Ledger } from '../soak/ledger.js';
import { type QuietFigures, QuietTenant } from '../soak/quiet-tenant.js';
import { SoakedService } from '../soak/soaked-service.js';
import type { BenchContext, Scenario } from './scenario.js';

const SEED = 11;
const MINUTES = 30;
/** Shares of the whole time: at first the quiet tenant is alone, at last nothing is killed. */
const ALONE_SHARE = 0.15;
const CALM_SHARE = 0.2;
const KILL_EVERY_MS = [15_000, 45_000] as const;
/** The share of the queue that is lost at a kill: nothing, a part, or everything. */
const LOST_SHARES = [0, 0.5, 1];
const SETTLE_MS = 300_000;
/** After the last job: idle threads end within seconds, and their memory goes back. */
const IDLE_MS = 60_000;
const SETTINGS = {
  ALLOW_PRIVATE_NETWORKS: 'true',
  JOB_LEASE_SECONDS: '5',
  STAGE_TIMEOUT_SECONDS: '30',
  MAX_SOURCE_FILES: '20000',
};

/**
 * The most that the quiet tenant may notice: a multiple of its times alone, or this much in all
 * where that is more.
 */
const NOTICED = {
  sync: { times: 5, milliseconds: 10_000 },
  search: { times: 10, milliseconds: 300 },
};
/** The lease of a dead worker, the repeated work, and the waits in addition to it. */
const AFTER_A_KILL_MS = 20_000;
const MEMORY = { times: 1.5, mebibytes: 300 };
/** Growth of the disposable folders from the middle of the attacks to the end. */
const DISK = { times: 1.5, mebibytes: 64 };
const DISPOSABLE = ['read-models', 'queue', 'index', 'reactor'];

/**
 * Three tenants, one of them hostile, in a service that is killed again and again; what must hold
 * holds at the end.
 */
export const soakScenario: Scenario = {
  name: 'soak',
  mustHold: true,
  async run({
    scratch,
    say,
    note,
    minutes = MINUTES,
    seed = SEED,
  }: BenchContext): Promise<readonly Figure[]> {
    const total = minutes * 60_000;
    note('soak', `${minutes} minutes, seed ${seed}`);
    const random = seeded(seed);
    const hostileServer = await HostileServer.listen();
    const [site, ruledSite] = [await HostileSite.listen(), await HostileSite.listen(true)];
    let service: SoakedService | undefined;
    try {
      service = await SoakedService.start(join(scratch, 'data'), SETTINGS);
      const soaked = service;
      const wasInterrupted = (from: number, to: number) => soaked.wasInterrupted(from, to);
      const [first, second, third] = [
        new Ledger(service.first),
        new Ledger(await service.createTenant('Busy')),
        new Ledger(await service.createTenant('Hostile')),
      ];
      const ledgers = [first, second, third];
      const awayFor = (from: number, to: number) => soaked.awayFor(from, to);
      const quiet = await QuietTenant.begin(first, join(scratch, 'quiet'), awayFor);
      const busy = new BusyTenant(second, scratch, seeded(seed + 1));
      const around = {
        scratch,
        serverUrl: hostileServer.url,
        serviceUrl: service.url,
        site,
        ruledSite,
        wasInterrupted,
      };
      const hostile = new HostileTenant({ ...around, ledger: third, random: seeded(seed + 2) });

      say('the quiet tenant alone');
      await quiet.run(AbortSignal.timeout(Math.round(total * ALONE_SHARE)));
      const alone = quiet.figures();
      const memoryBefore = residentMiB(service.pid);

      say('all three, and kills');
      const end = AbortSignal.timeout(Math.round(total * (1 - ALONE_SHARE)));
      const calm = AbortSignal.timeout(Math.round(total * (1 - ALONE_SHARE - CALM_SHARE)));
      const dataDir = join(scratch, 'data');
      const half = delay((total * (1 - ALONE_SHARE)) / 2).then(() => folderMiB(dataDir));
      await Promise.all([
        quiet.run(end),
        busy.run(end),
        hostile.run(end),
        killing(service, random, calm, say),
      ]);
      const together = quiet.figures();

      say('every job has to end');
      await Promise.all([hostileServer.close(), site.close(), ruledSite.close()]);
      const hanging = await settle(ledgers, SETTLE_MS);
      const found = await Promise.all(ledgers.map((ledger) => compare(ledger)));
      const problems = [
        ...found.flatMap((each) => each.problems),
        ...(await quiet.check()),
        ...(await examine(service)),
        ...[quiet, busy, hostile].flatMap(({ broken }) => broken),
      ];
      for (const problem of [...hanging, ...problems]) say(problem);
      const memoryAtEnd = residentMiB(service.pid);
      await delay(IDLE_MS);
      const memoryIdle = residentMiB(service.pid);
      const jobs = found.reduce((sum, each) => sum + each.jobs, 0);
      const acknowledged = ledgers.reduce(
        (sum, { sources, jobs: known }) => sum + sources.size + known.size,
        0,
      );
      return [
        {
          what: `jobs that had not ended ${SETTLE_MS / 1_000} s after the last kill and loss`,
          measured: `${hanging.length} of ${jobs}; ${service.kills} kills, ${service.lostMessages} messages lost`,
          target: 'none',
          met: hanging.length === 0 && service.kills > 0,
          raw: {
            hanging: hanging.length,
            jobs,
            kills: service.kills,
            lostMessages: service.lostMessages,
          },
        },
        {
          what: 'lost, doubled or wrong: sources, jobs, content, keys',
          measured: `${problems.length}; ${acknowledged} sources and jobs acknowledged, ${quiet.rounds} rounds of the quiet tenant`,
          target: 'none',
          met: problems.length === 0,
          raw: { problems: problems.length, acknowledged, rounds: quiet.rounds },
        },
        noticed('sync', alone, together),
        noticed('search', alone, together),
        interrupted(together),
        memory(memoryBefore, memoryAtEnd, memoryIdle),
        disk(await half, await folderMiB(dataDir)),
        {
          what: 'what the hostile tenant did',
          measured: [...hostile.moves].map(([name, times]) => `${times} × ${name}`).join(', '),
          raw: Object.fromEntries(hostile.moves),
        },
      ];
    } finally {
      await service?.dispose();
      for (const server of [hostileServer, site, ruledSite])
        await server.close().catch(() => undefined);
    }
  },
};

async function killing(
  service: SoakedService,
  random: () => number,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<void> {
  const [least, most] = KILL_EVERY_MS;
  while (!signal.aborted) {
    // Short runs are killed too: the first comes early.
    const pause = service.kills === 0 ? least : least + random() * (most - least);
    await delay(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted && service.kills > 0) return;
    await service.crash(LOST_SHARES[Math.floor(random() * LOST_SHARES.length)] ?? 0, random);
    say(`killed ${service.kills} times, ${service.lostMessages} messages lost`);
  }
}

function noticed(what: 'sync' | 'search', alone: QuietFigures, together: QuietFigures): Figure {
  const [before, after] = [alone[what], together[what]];
  const limit = Math.max(NOTICED[what].times * before.p95, NOTICED[what].milliseconds);
  const show = ({ p50, p95 }: typeof before) => `p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)} ms`;
  return {
    what: `the quiet tenant's ${what} next to the others`,
    measured: `${show(after)} (${after.count}); alone ${show(before)} (${before.count})`,
    target: `p95 ≤ ${limit.toFixed(0)} ms`,
    met: after.count > 0 && after.p95 <= limit,
    raw: { alone: before.p95, together: after.p95, count: after.count },
  };
}

function interrupted({ interrupted: { count, p50, p95 } }: QuietFigures): Figure {
  return {
    what: "the quiet tenant's syncs that met a kill, less the time that the service was away",
    measured: `p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)} ms (${count})`,
    target: `p95 ≤ ${AFTER_A_KILL_MS} ms`,
    met: p95 <= AFTER_A_KILL_MS,
    raw: { count, p50, p95 },
  };
}

function memory(before: number | null, end: number | null, idle: number | null): Figure {
  const what = `resident memory of the service, ${IDLE_MS / 1_000} s after the last job and after the quiet start`;
  if (before === null || end === null || idle === null)
    return { what, measured: 'not reported by this system', raw: {} };
  const limit = Math.max(MEMORY.times * before, before + MEMORY.mebibytes);
  return {
    what,
    measured: `${idle.toFixed(0)} MiB; ${before.toFixed(0)} MiB (${end.toFixed(0)} MiB at the last job)`,
    target: `≤ ${limit.toFixed(0)} MiB`,
    met: idle <= limit,
    raw: { before, end, idle },
  };
}

/** The log and the blobs grow with what was acknowledged; what is derived from them must not. */
function disk(half: FolderSizes, end: FolderSizes): Figure {
  const disposable = (sizes: FolderSizes) =>
    DISPOSABLE.reduce((sum, name) => sum + (sizes[name] ?? 0), 0);
  const [before, after] = [disposable(half), disposable(end)];
  const limit = Math.max(DISK.times * before, before + DISK.mebibytes);
  const all = Object.entries(end).map(([name, size]) => `${name} ${size.toFixed(0)}`);
  return {
    what: 'disk of what can be rebuilt, at the end and in the middle of the attacks',
    measured: `${after.toFixed(0)} MiB; ${before.toFixed(0)} MiB (at the end: ${all.join(', ')})`,
    target: `≤ ${limit.toFixed(0)} MiB`,
    met: after <= limit,
    raw: { before, after, ...end },
  };
}
