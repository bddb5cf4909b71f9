import type { Figure } from '../report.js';
import { serveRepositories } from './rover-host.js';
import { roverLoad } from './rover-load.js';
import { coldTimes, roverTimes } from './rover-times.js';
import type { BenchContext, Scenario } from './scenario.js';

/** Time of rover jobs that index their repositories or find them held, and many jobs at once. */
export const roverScenario: Scenario = {
  name: 'rover',
  async run(context: BenchContext): Promise<readonly Figure[]> {
    const { only = ['times', 'load'] } = context;
    const host = await serveRepositories(context);
    try {
      return [
        ...(only.includes('times') ? await roverTimes(host, context) : []),
        ...(only.includes('cold') ? await coldTimes(host, context) : []),
        ...(only.includes('load') ? await roverLoad(host, context) : []),
      ];
    } finally {
      await host.close();
    }
  },
};
