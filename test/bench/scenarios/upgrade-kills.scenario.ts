import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';

import type { DoctorReport } from '#apps/standalone/admin/doctor-operation';
import { askOwner } from '#apps/standalone/admin/socket';
import { newApiKeySecret, seeded } from '#platform';
import { ApiClient, type SearchView } from '#test/support/api-client';
import { TestRepository } from '#test/support/git-repository';
import { ROOMY } from '#test/support/limits';
import { plausibleFiles } from '#test/support/plausible-files';
import {
  type ServiceOptions,
  ServiceProcess,
  StartingProcess,
} from '#test/support/service-process';

import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const SEED = 5;
const KILLS = 12;
/** A start takes one to three seconds; kills fall anywhere in it. */
const LONGEST_START_MS = 4_000;
const FILES = 400;
const OPERATION_MS = 120_000;
const QUERIES = [
  'adds part 3 of file 41',
  'add40Part2',
  'left right sum',
  'module file 7',
  'subtracts',
];

/** Everything that must be the same before the upgrade and after it. */
interface Observed {
  readonly sources: unknown;
  readonly jobs: unknown;
  readonly policy: unknown;
  readonly answers: readonly unknown[];
}

/**
 * Upgrades a data folder of an earlier version while `kill -9` ends the new version again and
 * again.
 */
export const upgradeKillsScenario: Scenario = {
  name: 'upgrade-kills',
  mustHold: true,
  async run({
    scratch,
    say,
    note,
    before,
    rounds = KILLS,
    seed = SEED,
  }: BenchContext): Promise<readonly Figure[]> {
    if (before === undefined)
      throw new Error('upgrade-kills needs --before, a built checkout of an earlier version');
    const random = seeded(seed);
    const key = newApiKeySecret().secret;
    const dataDir = join(scratch, 'data');
    mkdirSync(dataDir);
    const options = { dataDir, key, environment: { ...ROOMY, ALLOW_PRIVATE_NETWORKS: 'true' } };
    const files = plausibleFiles(FILES);
    const repository = TestRepository.create(join(scratch, 'repository'), files);

    say('the earlier version: two tenants, and a sync that the upgrade meets');
    const old = await ServiceProcess.start({ ...options, root: before });
    const other = (await askOwner(dataDir, 'create-tenant', { name: 'Other' }, OPERATION_MS)) as {
      key: string;
    };
    const keys = [key, other.key];
    for (const each of keys) await fill(new ApiClient(old.url, each), repository.url);
    const expected = await Promise.all(keys.map((each) => observe(new ApiClient(old.url, each))));
    repository.commit({
      'added/after.md': '# Added\n\nThe word of the upgrade is quetzalcoatl.\n',
    });
    const first = new ApiClient(old.url, key);
    const [source] = (await first.expect<{ sources: { id: string }[] }>('GET', '/sources')).sources;
    const underWay = await first.sync(source?.id ?? '');
    await old.kill();

    for (let kill = 0; kill < rounds; kill += 1)
      await cutShort(options, random() * LONGEST_START_MS);
    note('upgrade-kills', `${rounds} kills within ${LONGEST_START_MS} ms of a start, seed ${seed}`);

    const service = await ServiceProcess.start(options);
    try {
      const client = new ApiClient(service.url, key);
      const job = await client.finished(underWay, OPERATION_MS);
      const found = await client.search('quetzalcoatl');
      const report = (await askOwner(dataDir, 'doctor', {}, OPERATION_MS)) as DoctorReport;
      const failed = report.checks
        .filter(({ state }) => state === 'failed')
        .map(({ name }) => name);
      const observed = await Promise.all(
        keys.map((each) => observe(new ApiClient(service.url, each))),
      );
      const second = differences(expected[1], observed[1]);
      return [
        figure(
          'the sync that the upgrade met',
          job.status,
          'completed or failed after three deaths',
          () =>
            job.status === 'completed' ? (found.results?.length ?? 0) > 0 : job.status === 'failed',
        ),
        figure(
          'a tenant that nothing touched: sources, jobs, policy and answers',
          second.length === 0 ? 'the same' : `different: ${second.join(', ')}`,
          'the same',
          () => second.length === 0,
        ),
        figure(
          'doctor',
          failed.length === 0 ? 'nothing wrong' : failed.join(', '),
          'nothing wrong',
          () => {
            return failed.length === 0;
          },
        ),
      ];
    } finally {
      await service.stop();
    }
  },
};

async function fill(client: ApiClient, url: string): Promise<void> {
  const { id } = await client.createRepo('Upgraded', url);
  await client.syncToEnd(id, OPERATION_MS);
  await client.expect('PUT', '/policy', { min_evidence_count: 2 });
}

async function observe(client: ApiClient): Promise<Observed> {
  const { sources } = await client.expect<{ sources: object[] }>('GET', '/sources');
  const { jobs } = await client.expect<{ jobs: object[] }>('GET', '/jobs');
  const searches = await Promise.all(QUERIES.map((query) => client.search(query)));
  return {
    sources: sources.map((each) =>
      only(each, ['id', 'name', 'status', 'url', 'file_count', 'chunk_count']),
    ),
    jobs: jobs.map((each) =>
      only(each, ['id', 'status', 'chunks_created', 'files_processed', 'retry_count']),
    ),
    policy: await client.expect('GET', '/policy'),
    answers: searches.map(shown),
  };
}

function only(view: object, fields: readonly string[]): object {
  return Object.fromEntries(fields.map((field) => [field, Reflect.get(view, field)]));
}

function shown({ results = [] }: SearchView): readonly unknown[] {
  return results.map(({ content, score, citation }) => [citation.chunk_id, score, content]);
}

/** Starts the present version and ends it, wherever its start has come to. */
async function cutShort(options: ServiceOptions, afterMs: number): Promise<void> {
  const starting = new StartingProcess(options);
  await delay(afterMs);
  await starting.kill();
}

function differences(
  expected: Observed | undefined,
  observed: Observed | undefined,
): readonly string[] {
  const names = ['sources', 'jobs', 'policy', 'answers'] as const;
  return names.filter((name) => !isDeepStrictEqual(expected?.[name], observed?.[name]));
}

function figure(what: string, measured: string, target: string, met: () => boolean): Figure {
  return { what, measured, target, met: met(), raw: { measured } };
}
