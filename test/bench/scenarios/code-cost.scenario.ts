import { setTimeout as delay } from 'node:timers/promises';

import type { ApiClient } from '#test/support/api-client';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { codeRequest } from '../code-client.js';
import { syncRepository } from '../corpus.js';
import { JAVA_PATTERNS } from '../java-patterns.js';
import { distribution, residentMiB } from '../measure.js';
import { processorSeconds } from '../process-time.js';
import { makeQueries } from '../queries.js';
import { type Figure, loadAverage } from '../report.js';
import { packCost } from '../stored-packs.js';
import type { BenchContext, Scenario } from './scenario.js';

/** Starts of the service for each kind of work. */
const RUNS = 3;
const IDLE_MS = 10_000;
const SEARCHES = 100;
/** Requests for the first lines of each pattern. */
const CODE_SEARCHES = 5;
const FIRST = 100;
const MIB = 1024 ** 2;

type Work = 'none' | 'search' | 'code';

/**
 * The cost of code search: bytes and processor time of the trigrams, and memory. Memory is compared
 * between fresh processes on the same data, each after some seconds without work.
 */
export const codeCostScenario: Scenario = {
  name: 'code-cost',
  async run({ repositories, scratch, rounds = RUNS, say, note }: BenchContext) {
    const [repository] = repositories;
    if (repository === undefined) throw new Error('The code-cost scenario needs a repository');
    const service = await TwoTenantService.start(ROOMY);
    try {
      const before = processorSeconds(service.service.pid) ?? 0;
      const { job, milliseconds } = await syncRepository(service.first, repository, scratch);
      const processor = (processorSeconds(service.service.pid) ?? 0) - before;
      say(`${job.chunks_created} chunks in ${(milliseconds / 1_000).toFixed(1)} s`);
      const queries = await makeQueries(service.first, SEARCHES);
      await service.stop();
      const stored = await storedFigures(service.dataDir, rounds, processor, milliseconds / 1_000);
      const memory = await memoryFigures(service, queries, rounds, say);
      note('load', loadAverage());
      return [...stored, ...memory];
    } finally {
      await service.dispose();
    }
  },
};

/** @param processor seconds of the sync, and @param seconds that it took. */
async function storedFigures(
  dataDir: string,
  rounds: number,
  processor: number,
  seconds: number,
): Promise<readonly Figure[]> {
  const cost = await packCost(dataDir);
  const times = [cost.trigramSeconds];
  while (times.length < rounds) times.push((await packCost(dataDir)).trigramSeconds);
  const trigrams = distribution(times).p50;
  const share = cost.trigramBytes / cost.textBytes;
  const perChunk = cost.bytes / cost.chunks;
  const rate = 1 - trigrams / processor;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  return [
    {
      what: 'postings of trigrams',
      measured: `${share.toFixed(3)} × text (${megabytes(cost.trigramBytes)} of ${megabytes(cost.textBytes)})`,
      target: '≤ 0.2 × text',
      met: share <= 0.2,
      raw: { ...cost },
    },
    {
      what: 'pack, per chunk',
      measured: `${perChunk.toFixed(0)} bytes (${cost.chunks} chunks in ${cost.packs} packs)`,
      target: '≤ 1,700 bytes',
      met: perChunk <= 1_700,
      raw: { perChunk },
    },
    {
      what: 'rate of the first sync, of the rate without trigrams',
      measured:
        `${rate.toFixed(3)} by processor time (trigrams ${trigrams.toFixed(2)} s of ` +
        `${processor.toFixed(1)} s), ${(1 - trigrams / seconds).toFixed(3)} ` +
        `by time if nothing else runs while they are made (${seconds.toFixed(1)} s)`,
      target: '≥ 0.92',
      met: rate >= 0.92,
      raw: { trigrams, processor, seconds },
    },
    {
      what: 'tables of trigrams that are kept in memory',
      measured: `${(cost.trigramTableBytes / MIB).toFixed(2)} MiB`,
      raw: { bytes: cost.trigramTableBytes },
    },
  ];
}

async function memoryFigures(
  service: TwoTenantService,
  queries: readonly string[],
  rounds: number,
  say: (line: string) => void,
): Promise<readonly Figure[]> {
  const seen: Record<Work, number[]> = { none: [], search: [], code: [] };
  for (let run = 0; run < rounds; run += 1)
    for (const work of ['none', 'search', 'code'] as const) {
      await service.startAgain();
      await doWork(service.first, work, queries);
      await delay(IDLE_MS);
      const resident = residentMiB(service.service.pid) ?? 0;
      seen[work].push(resident);
      say(`resident after ${work}: ${resident.toFixed(0)} MiB`);
      await service.stop();
    }
  const middle = (work: Work): number => distribution(seen[work]).p50;
  const added = middle('code') - middle('search');
  const resident = (what: string, work: Work): Figure => ({
    what: `resident memory after ${what} and ${IDLE_MS / 1_000} s without work`,
    measured: `${middle(work).toFixed(0)} MiB (${seen[work].map((each) => each.toFixed(0)).join(', ')})`,
    raw: { resident: middle(work) },
  });
  return [
    {
      what: 'resident memory that code search adds to a process that searched',
      measured: `${added.toFixed(0)} MiB`,
      target: '≤ 15 MB',
      met: added * (MIB / 1e6) <= 15,
      raw: { added },
    },
    resident('a start', 'none'),
    resident(`${SEARCHES} searches`, 'search'),
    resident(`the same and ${CODE_SEARCHES * JAVA_PATTERNS.length} code searches`, 'code'),
  ];
}

async function doWork(client: ApiClient, work: Work, queries: readonly string[]): Promise<void> {
  if (work === 'none') return;
  for (const query of queries) await client.search(query);
  if (work === 'search') return;
  for (const expression of JAVA_PATTERNS)
    for (let round = 0; round < CODE_SEARCHES; round += 1)
      await client.expect('POST', '/search/code', codeRequest(expression, { limit: FIRST }));
}
