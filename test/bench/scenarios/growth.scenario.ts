import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { fillTo } from '../corpus.js';
import type { Figure } from '../report.js';
import { SearchLoad } from '../search-load.js';
import type { BenchContext, Scenario } from './scenario.js';
import { memory, startUp } from './search.scenario.js';

/**
 * Chunks of the tenant and the 95th percentile to reach there with one client, where there is one.
 */
const STEPS: readonly (readonly [chunks: number, target?: number])[] = [
  [10_000],
  [50_000, 10],
  [160_000, 25],
  [500_000],
];

/** Measures the cost of a search while the corpus of one tenant grows, in one service. */
export const growthScenario: Scenario = {
  name: 'growth',
  async run({ repositories, scratch, say }: BenchContext): Promise<readonly Figure[]> {
    const service = await TwoTenantService.start(ROOMY);
    try {
      const figures: Figure[] = [];
      let filled = 0;
      let taken = 0;
      for (const [chunks, target] of STEPS) {
        say(`filling to ${chunks} chunks`);
        const more = await fillTo(service.first, repositories, chunks - filled, scratch, taken);
        filled += more.chunks;
        taken += more.sources.length;
        const size = `${filled} chunks`;
        figures.push(await startUp(service, size, chunks <= 50_000));
        const load = await SearchLoad.prepare(service.first);
        figures.push(...(await load.measure(size, filled, target, say)));
        figures.push(memory(service, `${size}, after a restart and load`, chunks <= 50_000));
      }
      return figures;
    } finally {
      await service.dispose();
    }
  },
};
