import { cpSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';

import type { SourceView } from '#contracts/http/index';
import { sleep } from '#platform';
import type { ApiClient } from '#test/support/api-client';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { fillTo } from '../corpus.js';
import { distribution, residentMiB, timed } from '../measure.js';
import { makeQueries } from '../queries.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const CHUNKS = 58_000;
const SEARCHES = 500;
const POLL_MS = 500;
const LONGEST_REFINEMENT_MS = 3_600_000;
const RATE_TARGET_MINUTES = 20;
const MEANWHILE_TARGET = 1.5;
const AFTER_TARGET_MS = 8;
/** A query of more words may be a sentence, which the encoder answers too. */
const LONGEST_PHRASE = 3;

/**
 * The rate at which an installed sentence encoder refines a corpus, and the time of searches
 * before, during and after it. Only sentences use the encoder, so they are measured apart.
 */
export const refineScenario: Scenario = {
  name: 'refine',
  async run({ repositories, scratch, sizes, material, say, note }: BenchContext) {
    const [chunks = CHUNKS] = sizes ?? [];
    const models = material?.models;
    if (models === undefined) throw new Error('`refine` needs --models; see npm run model');
    const service = await TwoTenantService.start(ROOMY);
    try {
      const filled = await fillTo(service.first, repositories, chunks, scratch);
      note('chunks', String(filled.chunks));
      const queries = await makeQueries(service.first, SEARCHES);
      const plain = new Searches(service, queries);
      await plain.measure();
      const before = await plain.measure();
      const memoryBefore = residentMiB(service.service.pid) ?? 0;

      await service.stop();
      cpSync(models, join(service.dataDir, 'models'), { recursive: true });
      await service.startAgain();
      const started = performance.now();
      const searches = new Searches(service, queries);
      await searches.measure(100);
      const meanwhile = await searches.measure();
      if (await isRefined(service.first)) throw new Error('The corpus is too small: all refined');
      say(`refinement: ${await shares(service.first)} after the searches`);
      const share = await waitUntilRefined(service.first, say);
      const { milliseconds: alone, embedded } = share;
      const whole = (performance.now() - started) / 60_000;
      await searches.measure(100);
      const after = await searches.measure();
      const memoryAfter = residentMiB(service.service.pid) ?? 0;
      note(
        'load',
        loadavg()
          .map((value) => value.toFixed(1))
          .join(' '),
      );
      const perSecond = (embedded * filled.chunks) / (alone / 1_000);
      const rows = (name: string, { all, sentences }: Times): Figure[] => [
        figure(`POST /search ${name}`, all),
        figure(`of these, sentences ${name}`, sentences),
      ];
      const ratio = p95(meanwhile.all) / p95(before.all);
      const added = p95(after.all) - p95(before.all);
      return [
        {
          what: `refine ${filled.chunks} chunks, ${SEARCHES + 100} searches at the same time`,
          measured: `${whole.toFixed(1)} minutes; ${perSecond.toFixed(0)} chunks/s without searches`,
          target: `≤ ${RATE_TARGET_MINUTES} minutes`,
          met: whole <= RATE_TARGET_MINUTES,
          raw: { minutes: whole, perSecond, chunks: filled.chunks },
        },
        ...rows('before the encoder is installed', before),
        ...rows('while the encoder refines', meanwhile),
        {
          what: 'p95 of searches at the same time',
          measured: `${ratio.toFixed(2)} × before`,
          target: `≤ ${MEANWHILE_TARGET} ×`,
          met: ratio <= MEANWHILE_TARGET,
          raw: { ratio },
        },
        ...rows('after it', after),
        {
          what: 'p95 of searches afterwards',
          measured: `${added.toFixed(1)} ms more`,
          target: `≤ ${AFTER_TARGET_MS} ms more`,
          met: added <= AFTER_TARGET_MS,
          raw: { added },
        },
        {
          what: 'resident memory before and after',
          measured: `${memoryBefore.toFixed(0)} and ${memoryAfter.toFixed(0)} MiB`,
          raw: { before: memoryBefore, after: memoryAfter },
        },
      ];
    } finally {
      await service.dispose();
    }
  },
};

/** Milliseconds of all searches, and of those with a sentence. */
interface Times {
  readonly all: readonly number[];
  readonly sentences: readonly number[];
}

/** The same searches by one client, one at a time. */
class Searches {
  constructor(
    private readonly service: TwoTenantService,
    private readonly queries: readonly string[],
  ) {}

  async measure(count = this.queries.length): Promise<Times> {
    const all: number[] = [];
    const sentences: number[] = [];
    for (const query of this.queries.slice(0, count)) {
      const { milliseconds } = await timed(() => this.service.first.search(query));
      all.push(milliseconds);
      if (query.split(/\s+/).length > LONGEST_PHRASE) sentences.push(milliseconds);
    }
    return { all, sentences };
  }
}

/** Waits without searches, and reports the share that was embedded in that time. */
async function waitUntilRefined(
  client: ApiClient,
  say: (line: string) => void,
): Promise<{ readonly milliseconds: number; readonly embedded: number }> {
  const first = await lowestShare(client);
  const started = performance.now();
  let said = started;
  while (!(await isRefined(client))) {
    const now = performance.now();
    if (now - started > LONGEST_REFINEMENT_MS) throw new Error('The refinement takes too long');
    if (now - said > 30_000) {
      say(`refined ${await shares(client)}`);
      said = now;
    }
    await sleep(POLL_MS);
  }
  return { milliseconds: performance.now() - started, embedded: 1 - first };
}

async function sources(client: ApiClient): Promise<readonly SourceView[]> {
  const { sources: list } = await client.expect<{ sources: SourceView[] }>('GET', '/sources');
  return list;
}

async function lowestShare(client: ApiClient): Promise<number> {
  return Math.min(...(await sources(client)).map(({ refined_share }) => refined_share ?? 0));
}

async function shares(client: ApiClient): Promise<string> {
  return (await sources(client)).map(({ refined_share }) => refined_share ?? 0).join(', ');
}

async function isRefined(client: ApiClient): Promise<boolean> {
  return (await lowestShare(client)) >= 1;
}

function p95(times: readonly number[]): number {
  return distribution(times).p95;
}

function figure(what: string, times: readonly number[]): Figure {
  const { p50, p95: high, count } = distribution(times);
  const measured = `p50 ${p50.toFixed(1)} ms, p95 ${high.toFixed(1)} ms (${count} searches)`;
  return { what, measured, raw: { p50, p95: high, count } };
}
