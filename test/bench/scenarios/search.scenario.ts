import { setTimeout as sleep } from 'node:timers/promises';

import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { fillTo } from '../corpus.js';
import { residentMiB, timed } from '../measure.js';
import type { Figure } from '../report.js';
import { SearchLoad } from '../search-load.js';
import type { BenchContext, Scenario } from './scenario.js';

/** Longer than a quiet process takes to release memory. */
const QUIET_MS = 30_000;

/**
 * Latency over HTTP, start-up and memory with a corpus of a given size, and how fast a large source
 * is gone.
 */
export function searchScenario(chunks: number, target: number): Scenario {
  const size = `${Math.round(chunks / 1000)}k chunks`;
  const hasTarget = chunks <= 50_000;
  return {
    name: `search-${chunks}`,
    async run({ repositories, scratch, say }: BenchContext): Promise<readonly Figure[]> {
      const service = await TwoTenantService.start(ROOMY);
      try {
        say(`filling to ${chunks} chunks`);
        const filled = await fillTo(service.first, repositories, chunks, scratch);
        const figures: Figure[] = [];
        const load = await SearchLoad.prepare(service.first);
        figures.push(
          ...(await load.measure(`${size} (${filled.chunks})`, filled.chunks, target, say)),
        );
        figures.push(
          memory(service, `${size}, in the process that indexed them, after load`, hasTarget),
          await quietMemory(service, `${size}, in the process that indexed them`, hasTarget),
          await startUp(service, size, hasTarget),
        );
        await load.again(service.first);
        figures.push(
          memory(service, `${size}, after a restart and load`, hasTarget),
          await quietMemory(service, `${size}, after a restart and load`, hasTarget),
        );
        if (hasTarget) figures.push(await removal(service, scratch, repositories));
        return figures;
      } finally {
        await service.dispose();
      }
    },
  };
}

/** @param hasTarget the figure to reach is one at 50,000 chunks. */
export function memory(service: TwoTenantService, when: string, hasTarget = true): Figure {
  const resident = residentMiB(service.service.pid) ?? 0;
  return {
    what: `resident memory at ${when}`,
    measured: `${resident.toFixed(0)} MiB`,
    ...(hasTarget ? { target: '≤ 700 MB', met: resident * 1.048576 <= 700 } : {}),
    raw: { mebibytes: resident },
  };
}

/** Measures the resident memory when the process was quiet, and so released memory. */
async function quietMemory(
  service: TwoTenantService,
  when: string,
  hasTarget: boolean,
): Promise<Figure> {
  await sleep(QUIET_MS);
  return memory(service, `${when}, ${QUIET_MS / 1_000} s later`, hasTarget);
}

/** @param hasTarget the figure to reach is one at 50,000 chunks. */
export async function startUp(
  service: TwoTenantService,
  size: string,
  hasTarget = true,
): Promise<Figure> {
  await service.stop();
  const { milliseconds } = await timed(() => service.startAgain());
  return {
    what: `start until ready at ${size}`,
    measured: `${(milliseconds / 1000).toFixed(2)} s`,
    ...(hasTarget ? { target: '≤ 3 s', met: milliseconds <= 3_000 } : {}),
    raw: { milliseconds },
  };
}

/** From the DELETE request until a search no longer returns the source. */
async function removal(
  service: TwoTenantService,
  scratch: string,
  repositories: readonly string[],
): Promise<Figure> {
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
