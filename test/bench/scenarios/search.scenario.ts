import { TwoTenantService } from '#test/support/two-tenants';

import { fillTo } from '../corpus.js';
import { distribution, inParallel, residentMiB, timed } from '../measure.js';
import { makeQueries } from '../queries.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const QUERIES = 1_000;
const WARM_UP = 200;
const CLIENTS = [1, 8, 32];

/** Latency over HTTP, start-up and memory with a corpus of a given size, and how fast a large source is gone. */
export function searchScenario(chunks: number, target: number): Scenario {
  const size = `${Math.round(chunks / 1000)}k chunks`;
  return {
    name: `search-${chunks}`,
    async run({ repositories, scratch, say }: BenchContext): Promise<readonly Figure[]> {
      const service = await TwoTenantService.start();
      try {
        say(`filling to ${chunks} chunks`);
        const filled = await fillTo(service.first, repositories, chunks, scratch);
        const figures: Figure[] = [];
        const queries = await makeQueries(service.first, QUERIES + WARM_UP);
        const search = async (index: number) => {
          await service.first.search(queries[index % queries.length] ?? '');
        };
        await inParallel(1, WARM_UP, search);
        for (const clients of CLIENTS) {
          say(`${QUERIES} searches, ${clients} clients`);
          const started = performance.now();
          const times = distribution(await inParallel(clients, QUERIES, (index) => search(WARM_UP + index)));
          const perSecond = (QUERIES / (performance.now() - started)) * 1000;
          figures.push({
            what: `POST /search at ${size} (${filled.chunks}), ${clients} client${clients === 1 ? '' : 's'}`,
            measured: `p50 ${times.p50.toFixed(1)} ms, p95 ${times.p95.toFixed(1)} ms, p99 ${times.p99.toFixed(1)} ms, ${perSecond.toFixed(0)}/s`,
            ...(clients === 1 ? { target: `p95 ≤ ${target} ms`, met: times.p95 <= target } : {}),
            raw: { ...times, perSecond, chunks: filled.chunks, clients },
          });
        }
        figures.push(
          memory(service, `${size}, in the process that indexed them, after load`),
          await startUp(service, size),
        );
        await inParallel(8, QUERIES, search);
        figures.push(memory(service, `${size}, after a restart and load`));
        if (chunks <= 50_000) figures.push(await removal(service, scratch, repositories));
        return figures;
      } finally {
        await service.dispose();
      }
    },
  };
}

function memory(service: TwoTenantService, when: string): Figure {
  const resident = residentMiB(service.service.pid) ?? 0;
  return {
    what: `resident memory at ${when}`,
    measured: `${resident.toFixed(0)} MiB`,
    target: '≤ 700 MB',
    met: resident * 1.048576 <= 700,
    raw: { mebibytes: resident },
  };
}

async function startUp(service: TwoTenantService, size: string): Promise<Figure> {
  await service.stop();
  const { milliseconds } = await timed(() => service.startAgain());
  return {
    what: `start until ready at ${size}`,
    measured: `${(milliseconds / 1000).toFixed(2)} s`,
    target: '≤ 3 s',
    met: milliseconds <= 3_000,
    raw: { milliseconds },
  };
}

/** From the DELETE request until a search no longer returns the source. */
async function removal(service: TwoTenantService, scratch: string, repositories: readonly string[]): Promise<Figure> {
  const { sources } = await fillTo(service.second, repositories, 1, scratch);
  const largest = sources[0];
  if (!largest) throw new Error('Nothing to delete');
  const { milliseconds } = await timed(async () => {
    await service.second.expect('DELETE', `/sources/${largest.source.id}`);
    while ((await service.second.search('configuration')).results) await Promise.resolve();
  });
  return {
    what: `delete a source of ${largest.job.chunks_created} chunks until no search returns it`,
    measured: `${milliseconds.toFixed(0)} ms`,
    target: '≤ 50 ms',
    met: milliseconds <= 50,
    raw: { milliseconds, chunks: largest.job.chunks_created },
  };
}
