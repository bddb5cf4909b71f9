import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { RoverJobView } from '#contracts/http/index';
import { systemClock } from '#platform';
import type { ApiClient } from '#test/support/api-client';
import { GitHttpServer } from '#test/support/git-http-server';
import { GitHubServer } from '#test/support/github/github-server';
import { ROOMY } from '#test/support/limits';

import { timed } from '../measure.js';
import { ROVER_QUESTIONS } from './rover-questions.js';
import type { BenchContext } from './scenario.js';

/** Jobs that may end before the repositories of one are indexed. */
const MOST_TRIES = 5;

/** A host of repositories on loopback with its API, and the settings of a service that uses it. */
export interface RoverHost {
  readonly close: () => Promise<void>;
  /** Folder of its repositories as `<owner>/<name>`. */
  readonly folder: string;
  readonly repos: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Serves the first three repositories. */
export async function serveRepositories({
  repositories,
  scratch,
}: BenchContext): Promise<RoverHost> {
  const folder = join(scratch, 'hosted');
  mkdirSync(join(folder, 'bench'), { recursive: true });
  const repos = repositories.slice(0, 3).map((repository) => {
    const name = basename(repository).replace(/\.git$/, '');
    execFileSync('git', ['clone', '--quiet', '--bare', repository, join(folder, 'bench', name)]);
    return `bench/${name}`;
  });
  const git = new GitHttpServer(folder);
  const facts = { description: null, stars: 1, isArchived: false, isFork: false };
  const api = new GitHubServer({
    clock: systemClock,
    repositories: repos.map((repo) => ({
      repo,
      ...facts,
      sizeKib: sizeKibOf(join(folder, repo)),
      defaultBranch: 'main',
    })),
  });
  const environment = {
    ...ROOMY,
    GITHUB_GIT_URL: await git.listen(),
    GITHUB_API_URL: await api.start(),
    ALLOW_PRIVATE_NETWORKS: 'true',
  };
  const close = async () => {
    await git.close();
    await api.stop();
  };
  return { close, folder, repos, environment };
}

/** Returns the size of a repository with its history, as GitHub reports it. */
function sizeKibOf(folder: string): number {
  const counts = execFileSync('git', ['count-objects', '-v'], { cwd: folder, encoding: 'utf8' });
  return Number(/^size-pack: (\d+)$/m.exec(counts)?.[1] ?? NaN);
}

/** A job that ended, and its time from the request on. */
export interface EndedJob {
  readonly job: RoverJobView;
  readonly milliseconds: number;
}

/** Creates a job and waits for its end. @throws Error unless it completed. */
export async function finishedJob(...request: Parameters<typeof endedJob>): Promise<EndedJob> {
  const ended = await endedJob(...request);
  const { status, error_message } = ended.job;
  if (status !== 'completed') throw new Error(`A rover job ${status}: ${error_message}`);
  return ended;
}

/** Creates a job and waits for its end, also for a failure. */
export async function endedJob(
  client: ApiClient,
  repos: readonly string[],
  at: number,
  pollMs: number,
): Promise<EndedJob> {
  const question = `${ROVER_QUESTIONS[at % ROVER_QUESTIONS.length] ?? ''} (${at})`;
  const { milliseconds, result } = await timed(async () => {
    const { id } = await client.expect<RoverJobView>('POST', '/rover/jobs', { question, repos });
    for (;;) {
      const job = await client.expect<RoverJobView>('GET', `/rover/jobs/${id}`);
      if (['completed', 'failed', 'cancelled'].includes(job.status)) return job;
      await delay(pollMs);
    }
  });
  return { job: result, milliseconds };
}

/**
 * Creates jobs until one has read all repositories: the syncs of a job that reached its budget go
 * on. @throws Error after {@link MOST_TRIES}.
 */
export async function holdRepositories(
  client: ApiClient,
  repos: readonly string[],
  pollMs: number,
): Promise<void> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1)
    if (isWhole((await endedJob(client, repos, 0, pollMs)).job)) return;
  throw new Error(`${MOST_TRIES} rover jobs did not read ${repos.join(', ')}`);
}

/** Returns whether a job is completed and has read all of its repositories. */
export function isWhole({ status, read }: RoverJobView): boolean {
  return status === 'completed' && read.every(({ complete }) => complete);
}
