import { setTimeout as delay } from 'node:timers/promises';

import { ApiClient } from '#test/support/api-client';
import { TwoTenantService } from '#test/support/two-tenants';

import { syncRepository } from '../corpus.js';
import { distribution, residentMiB, timed } from '../measure.js';
import type { Figure } from '../report.js';
import { finishedJob, holdRepositories, type RoverHost } from './rover-host.js';
import { ROVER_QUESTIONS } from './rover-questions.js';
import type { BenchContext } from './scenario.js';

/** Jobs of each of three tenants. The shares differ, so that a queue without fairness shows. */
const LOAD = [30, 15, 5] as const;
const SEARCH_PAUSE_MS = 50;
/** Pause between two looks at a job, milliseconds. */
const POLL_MS = 500;
const SEARCHES_ALONE = 200;

/** Measures many jobs of three tenants at once: shares, memory, and searches during them. */
export async function roverLoad(
  { repos, environment }: RoverHost,
  { repositories, scratch, say }: BenchContext,
): Promise<readonly Figure[]> {
  const service = await TwoTenantService.start(environment);
  try {
    const { key } = (await service.operate('create-tenant', { name: 'Third' })) as { key: string };
    const clients = [service.first, service.second, new ApiClient(service.url, key)];
    await syncRepository(service.first, repositories[0] ?? '.', scratch);
    say('jobs of each tenant, which index the repositories');
    for (const client of clients) await holdRepositories(client, repos, POLL_MS);
    say('searches alone');
    const alone = distribution(await searches(service.first, (count) => count < SEARCHES_ALONE));
    const before = residentMiB(service.service.pid) ?? 0;
    let peak = before;
    say(`${LOAD.join(' + ')} jobs of three tenants`);
    const started = performance.now();
    const wanted = LOAD.map((jobs) => Array.from({ length: jobs }, (_, at) => at));
    let running = true;
    const watched = (async () => {
      for (; running; await delay(250))
        peak = Math.max(peak, residentMiB(service.service.pid) ?? 0);
    })();
    const searching = searches(service.first, () => running);
    const ends = await Promise.all(
      clients.map(async (client, tenant) => {
        await Promise.all(
          (wanted[tenant] ?? []).map((at) => finishedJob(client, repos, at, POLL_MS)),
        );
        return performance.now() - started;
      }),
    );
    running = false;
    await watched;
    const crowded = distribution(await searching);
    return [
      ...ends.map((end, tenant) => shareFigure(end, tenant, Math.max(...ends))),
      {
        what: `memory during ${total(LOAD)} rover jobs of three tenants`,
        measured: `${before.toFixed(0)} → ${peak.toFixed(0)} MiB`,
        target: '≤ + 200 MB',
        met: (peak - before) * 1.048576 <= 200,
        raw: { before, peak },
      },
      {
        what: `POST /search during these jobs, 1 client`,
        measured: `p95 ${crowded.p95.toFixed(1)} ms (alone ${alone.p95.toFixed(1)} ms)`,
        target: '≤ 2 × alone',
        met: crowded.p95 <= 2 * alone.p95,
        raw: { crowded: crowded.p95, alone: alone.p95 },
      },
    ];
  } finally {
    await service.dispose();
  }
}

/**
 * Compares the time until all jobs of a tenant ended with its share. With equal turns, a tenant
 * with `n` jobs waits for its own and for at most `n` of each other tenant.
 */
function shareFigure(end: number, tenant: number, whole: number): Figure {
  const own = LOAD[tenant] ?? 0;
  const share = (total(LOAD.map((jobs) => Math.min(jobs, own))) / total(LOAD)) * whole;
  return {
    what: `all ${own} of ${total(LOAD)} rover jobs of a tenant`,
    measured: `${(end / 1_000).toFixed(1)} s (share ${(share / 1_000).toFixed(1)} s)`,
    target: '≤ 1.5 × its share',
    met: end <= 1.5 * share,
    raw: { end, share },
  };
}

/** Searches with one client while `continues`. @returns the milliseconds of each. */
async function searches(
  client: ApiClient,
  continues: (count: number) => boolean,
): Promise<readonly number[]> {
  const taken: number[] = [];
  while (continues(taken.length)) {
    const query = ROVER_QUESTIONS[taken.length % ROVER_QUESTIONS.length] ?? '';
    taken.push((await timed(() => client.search(query))).milliseconds);
    await delay(SEARCH_PAUSE_MS);
  }
  return taken;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
