import { distribution, timed } from '#test/bench/measure';
import type { Figure } from '#test/bench/report';
import { ApiClient } from '#test/support/api-client';
import type { TwoTenantService } from '#test/support/two-tenants';

const ROUNDS = 5;
const SEARCHES = 100;

interface Samples {
  readonly starts: number[];
  readonly searches: number[];
}

/**
 * Compares the start and the search of a service with the page to one without it. Starts of both
 * alternate, so that other work on the machine slows down both.
 */
export async function measurePageCost(
  service: TwoTenantService,
  key: string,
  queries: readonly string[],
): Promise<Figure[]> {
  const samples = { true: noSamples(), false: noSamples() };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const setting of ['true', 'false'] as const) {
      const { starts, searches } = samples[setting];
      await service.stop();
      const environment = { ...service.variables, WEB_UI: setting };
      starts.push((await timed(() => service.startAgain(environment))).milliseconds);
      const client = new ApiClient(service.url, key);
      const ask = (at: number) => client.search(queries[at % queries.length] ?? '');
      // The first searches load what later ones find loaded.
      for (let at = 0; at < queries.length; at += 1) await ask(at);
      for (let at = 0; at < SEARCHES; at += 1) {
        searches.push((await timed(() => ask(at))).milliseconds);
      }
    }
  }
  const starts = [samples.true, samples.false].map((each) => distribution(each.starts).p50);
  const searches = [samples.true, samples.false].map((each) => distribution(each.searches).p95);
  return [
    comparison(`start until ready, median of ${ROUNDS}`, starts),
    comparison(`p95 of ${ROUNDS * SEARCHES} searches`, searches),
  ];
}

function noSamples(): Samples {
  return { starts: [], searches: [] };
}

function comparison(what: string, [shown = 0, without = 0]: readonly number[]): Figure {
  return {
    what: `${what}, with the page and with WEB_UI=false`,
    measured: `${shown.toFixed(1)} ms and ${without.toFixed(1)} ms`,
    raw: { shown, without },
  };
}
