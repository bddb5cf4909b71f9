import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { newApiKeySecret, seeded, uuidv7 } from '#platform';
import { ApiClient } from '#test/support/api-client';
import { EventStoreDbServer } from '#test/support/eventstoredb/server';
import { TestRepository } from '#test/support/git-repository';
import { ServiceProcess, StartingProcess } from '#test/support/service-process';
import { tempDir } from '#test/support/temp-dir';

import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const ROUNDS = 200;
/** Rounds side by side: a start waits more than it computes. */
const LANES = 2;
/** The double says that a history ends after up to this long, as a server under load may. */
const LONGEST_HISTORY_END_MS = 1_500;
/** The kill comes at most this long after the service listens. */
const LONGEST_LIFE_MS = 3_000;
const SEED = 18;

/** The promises of a round before its kill, and those that were lost afterwards. */
interface Round {
  readonly acknowledged: number;
  readonly lost: readonly string[];
}

/**
 * First starts on an empty EventStoreDB whose histories end late, each followed by `kill -9` and a
 * second start. The first key, and every source and job that was acknowledged, must be there.
 */
export const firstStartsScenario: Scenario = {
  name: 'first-starts',
  async run({ scratch, say, rounds = ROUNDS }: BenchContext): Promise<readonly Figure[]> {
    const repository = TestRepository.create(join(scratch, 'repository'), {
      'a.ts': 'export const answer = 42;\n',
    });
    const random = seeded(SEED);
    const done: Round[] = [];
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < rounds) {
        const number = (next += 1);
        const round = await firstStart(repository.url, random);
        done.push(round);
        if (round.lost.length > 0) say(`round ${number} lost ${round.lost.join(', ')}`);
        if (done.length % 10 === 0) say(`${done.length} of ${rounds}`);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    const acknowledged = done.reduce((sum, round) => sum + round.acknowledged, 0);
    const lossy = done.filter(({ lost }) => lost.length > 0).length;
    return [
      {
        what: `${rounds} first starts on EventStoreDB, each killed within ${LONGEST_LIFE_MS / 1_000} s and started again`,
        measured: `${acknowledged} keys, sources and jobs acknowledged; ${lossy} starts lost any`,
        target: 'none',
        met: lossy === 0,
        raw: { rounds, acknowledged, lossy },
      },
    ];
  },
};

async function firstStart(repository: string, random: () => number): Promise<Round> {
  const server = await EventStoreDbServer.start({
    endOfHistoryDelay: () => random() * LONGEST_HISTORY_END_MS,
  });
  const folder = tempDir('footnote-first-');
  const key = newApiKeySecret().secret;
  const options = {
    dataDir: join(folder.path, 'data'),
    key,
    environment: { EVENTSTORE_URL: server.url },
  };
  const paths: string[] = [];
  let service: ServiceProcess | undefined;
  try {
    const starting = new StartingProcess(options);
    try {
      const [, url = ''] = await starting.says(/"url":"(http:\/\/[^"]+)"/, 60_000);
      const life = delay(random() * LONGEST_LIFE_MS);
      await Promise.race([life, acknowledge(new ApiClient(url, key), repository, paths, life)]);
    } finally {
      await starting.kill();
    }
    const promised = [...paths];
    service = await ServiceProcess.start(options);
    const client = new ApiClient(service.url, key);
    const lost: string[] = [];
    for (const path of ['/sources', ...promised]) {
      if ((await client.call('GET', path)).status !== 200)
        lost.push(path.replace(/[0-9a-f-]{36}/, '…'));
    }
    for (const path of promised.filter((each) => each.startsWith('/jobs/'))) {
      const job = await client.finished(path.slice('/jobs/'.length)).catch(() => undefined);
      if (job?.status !== 'completed') lost.push('the end of a job');
    }
    return { acknowledged: promised.length + 1, lost };
  } finally {
    await service?.kill();
    server.stop();
    folder.remove();
  }
}

/**
 * Registers sources and starts their syncs, noting the path of each that was acknowledged, until
 * its time is over.
 */
async function acknowledge(
  client: ApiClient,
  url: string,
  paths: string[],
  life: Promise<unknown>,
): Promise<void> {
  let over = false;
  void life.then(() => (over = true));
  while (!over) {
    try {
      const source = await client.createRepo(`Source ${uuidv7()}`, url);
      paths.push(`/sources/${source.id}`);
      paths.push(`/jobs/${await client.sync(source.id)}`);
    } catch {
      // Not ready yet, or killed before: neither acknowledged anything.
    }
    await delay(50);
  }
}
