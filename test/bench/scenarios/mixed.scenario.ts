import { basename } from 'node:path';

import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { syncRepository } from '../corpus.js';
import { distribution, inParallel, timed } from '../measure.js';
import { makeQueries } from '../queries.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const QUERIES = 400;
const WARM_UP = 100;
const CLIENTS = [1, 8];

/**
 * Searches while a sync runs: latency of `POST /search` and speed of a first sync, each alone and
 * both at once. The first `--repo` is searched, the second one is synced; with one, it is both.
 */
export const mixedScenario: Scenario = {
  name: 'mixed',
  async run({ repositories, scratch, say, note }: BenchContext): Promise<readonly Figure[]> {
    const [searched, synced = searched] = repositories;
    if (searched === undefined || synced === undefined)
      throw new Error('The mixed scenario needs a repository');
    const service = await TwoTenantService.start(ROOMY);
    try {
      const { first: client } = service;
      say(`first sync of ${searched}`);
      const { job } = await syncRepository(client, searched, scratch);
      note('mixed', `${basename(searched)}, ${job.chunks_created} chunks, is searched`);
      const queries = await makeQueries(client, QUERIES);
      const search = async (index: number) =>
        void (await client.search(queries[index % queries.length] ?? ''));
      const sync = async (name: string) => {
        const { source, job, milliseconds } = await syncRepository(client, synced, scratch, name);
        // The next sync meets the same corpus again.
        await client.expect('DELETE', `/sources/${source.id}`);
        return { perSecond: (job.chunks_created / milliseconds) * 1_000, milliseconds };
      };
      await inParallel(1, WARM_UP, search);
      say(`first sync of ${synced} alone`);
      const alone = await sync('alone');
      const figures: Figure[] = [syncFigure('alone', alone.perSecond)];
      for (const clients of CLIENTS) {
        const who = `${clients} client${clients === 1 ? '' : 's'}`;
        say(`searches by ${who}, alone and during a sync`);
        const before = await timed(() => inParallel(clients, QUERIES, search));
        figures.push(searchFigure(`${who}, alone`, before.result, before.milliseconds));
        const { result: during, milliseconds } = await timed(() =>
          beside(sync(`beside ${who}`), clients, search),
        );
        figures.push(searchFigure(`${who}, during a sync`, during.times, milliseconds));
        figures.push(syncFigure(`while ${who} search`, during.result.perSecond));
      }
      return figures;
    } finally {
      await service.dispose();
    }
  },
};

/** Searches until the work has ended. @throws what the work fails with. */
async function beside<T>(
  work: Promise<T>,
  clients: number,
  search: (index: number) => Promise<void>,
): Promise<{ readonly result: T; readonly times: readonly number[] }> {
  let isOver = false;
  const ended = work.finally(() => (isOver = true));
  ended.catch(() => undefined);
  const times: number[] = [];
  const searching = Array.from({ length: clients }, async (_, client) => {
    for (let turn = 0; !isOver; turn += 1)
      times.push((await timed(() => search(turn * clients + client))).milliseconds);
  });
  await Promise.all(searching);
  return { result: await ended, times };
}

function searchFigure(who: string, times: readonly number[], milliseconds: number): Figure {
  const { p50, p95, p99, count } = distribution(times);
  const perSecond = (count / milliseconds) * 1_000;
  return {
    what: `POST /search, ${who}`,
    measured: `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ${perSecond.toFixed(0)}/s`,
    raw: { p50, p95, p99, count, perSecond },
  };
}

function syncFigure(when: string, perSecond: number): Figure {
  return {
    what: `first sync, ${when}`,
    measured: `${perSecond.toFixed(0)} chunks/s`,
    raw: { perSecond },
  };
}
