import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { RoverJobView } from '#contracts/http/index';
import { ApiClient } from '#test/support/api-client';
import { GitHttpServer } from '#test/support/git-http-server';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { syncRepository } from '../corpus.js';
import { distribution, residentMiB, timed } from '../measure.js';
import { CitationBytes } from '../quality/rover/citation-bytes.js';
import type { Figure } from '../report.js';
import { ROVER_QUESTIONS } from './rover-questions.js';
import type { BenchContext, Scenario } from './scenario.js';

const COLD_ROUNDS = 5;
const HELD_JOBS = ROVER_QUESTIONS.length;
/** Jobs of each of three tenants. The shares differ, so that a queue without fairness shows. */
const LOAD = [30, 15, 5] as const;
const SEARCH_PAUSE_MS = 50;
/** Pauses between two looks at a job: alone, and as one of many. */
const POLL_MS = { alone: 20, crowded: 500 };
const SEARCHES_ALONE = 200;

/** A host of repositories on loopback, and the settings of a service that uses it. */
interface Host {
  readonly server: GitHttpServer;
  /** Folder of its repositories as `<owner>/<name>`. */
  readonly folder: string;
  readonly repos: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Time of rover jobs that index their repositories or find them held, and many jobs at once. */
export const roverScenario: Scenario = {
  name: 'rover',
  async run(context: BenchContext): Promise<readonly Figure[]> {
    const host = await serve(context);
    try {
      return [...(await times(host, context)), ...(await load(host, context))];
    } finally {
      await host.server.close();
    }
  },
};

async function serve({ repositories, scratch }: BenchContext): Promise<Host> {
  const folder = join(scratch, 'hosted');
  mkdirSync(join(folder, 'bench'), { recursive: true });
  const repos = repositories.slice(0, 3).map((repository) => {
    const name = basename(repository).replace(/\.git$/, '');
    execFileSync('git', ['clone', '--quiet', '--bare', repository, join(folder, 'bench', name)]);
    return `bench/${name}`;
  });
  const server = new GitHttpServer(folder);
  const environment = {
    ...ROOMY,
    GITHUB_GIT_URL: await server.listen(),
    ALLOW_PRIVATE_NETWORKS: 'true',
  };
  return { server, folder, repos, environment };
}

async function times(
  { folder, repos, environment }: Host,
  { rounds = COLD_ROUNDS, say }: BenchContext,
): Promise<readonly Figure[]> {
  const cold: number[] = [];
  const held: number[] = [];
  const cited: RoverJobView['citations'][number][] = [];
  let chunks = 0;
  for (let round = 0; round < rounds; round += 1) {
    const service = await TwoTenantService.start(environment);
    try {
      const first = await finished(service.first, repos, 0, POLL_MS.alone);
      cold.push(first.milliseconds);
      chunks = first.job.read.reduce((sum, read) => sum + (read.chunks ?? 0), 0);
      say(`cold round ${round + 1} of ${rounds}: ${(first.milliseconds / 1_000).toFixed(1)} s`);
      if (round + 1 < rounds) continue;
      for (let at = 1; at <= HELD_JOBS; at += 1) {
        const { job, milliseconds } = await finished(service.first, repos, at, POLL_MS.alone);
        held.push(milliseconds);
        cited.push(...job.citations);
      }
    } finally {
      await service.dispose();
    }
  }
  return [
    timeFigure(`a fast job over ${repos.length} repositories, ${chunks} chunks, cold`, cold, 60),
    timeFigure(`the same while its repositories are held`, held, 5),
    citationFigure(cited, folder),
  ];
}

/** Compares citations with the bytes of their commits; a passage cited by several jobs is one. */
function citationFigure(cited: RoverJobView['citations'], folder: string): Figure {
  const passages = new Map(
    cited.map((each) => [
      `${each.repo} ${each.path}:${each.start_line ?? ''} ${each.sha256}`,
      each,
    ]),
  );
  const bytes = new CitationBytes(folder);
  bytes.compare({ citations: [...passages.values()] });
  const equal = bytes.compared - bytes.different.length;
  return {
    what: 'passages cited by these jobs that equal their commit',
    measured: `${equal} of ${bytes.compared} (${cited.length} citations)`,
    target: 'all, at least 280',
    met: bytes.compared >= 280 && equal === bytes.compared,
    raw: { equal, compared: bytes.compared, citations: cited.length },
  };
}

function timeFigure(what: string, milliseconds: readonly number[], seconds: number): Figure {
  const { p50, p95, count } = distribution(milliseconds);
  return {
    what,
    measured: `p50 ${(p50 / 1_000).toFixed(2)} s, p95 ${(p95 / 1_000).toFixed(2)} s (${count} jobs)`,
    target: `p95 ≤ ${seconds} s`,
    met: p95 <= seconds * 1_000,
    raw: { p50, p95, count },
  };
}

async function load(
  { repos, environment }: Host,
  { repositories, scratch, say }: BenchContext,
): Promise<readonly Figure[]> {
  const service = await TwoTenantService.start(environment);
  try {
    const { key } = (await service.operate('create-tenant', { name: 'Third' })) as { key: string };
    const clients = [service.first, service.second, new ApiClient(service.url, key)];
    await syncRepository(service.first, repositories[0] ?? '.', scratch);
    say('one job of each tenant, which indexes the repositories');
    for (const client of clients) await finished(client, repos, 0, POLL_MS.crowded);
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
          (wanted[tenant] ?? []).map((at) => finished(client, repos, at, POLL_MS.crowded)),
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

/** Creates a job and waits for its end. @throws Error unless it completed. */
async function finished(
  client: ApiClient,
  repos: readonly string[],
  at: number,
  pollMs: number,
): Promise<{ readonly job: RoverJobView; readonly milliseconds: number }> {
  const question = `${ROVER_QUESTIONS[at % ROVER_QUESTIONS.length] ?? ''} (${at})`;
  const { milliseconds, result } = await timed(async () => {
    const { id } = await client.expect<RoverJobView>('POST', '/rover/jobs', { question, repos });
    for (;;) {
      const job = await client.expect<RoverJobView>('GET', `/rover/jobs/${id}`);
      if (job.status === 'completed') return job;
      if (job.status === 'failed') throw new Error(`A rover job failed: ${job.error_message}`);
      await delay(pollMs);
    }
  });
  return { job: result, milliseconds };
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
