import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { CodeSearchResponseView } from '#contracts/http/index';
import type { ApiClient } from '#test/support/api-client';
import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { registerFleet, requireCompleted, startSyncs, untilSynced } from '../fleet.js';
import { distribution, timed } from '../measure.js';
import { processorSeconds } from '../process-time.js';
import { type Figure, latency, loadAverage } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const SOURCES = 2_000;
/** Measured requests for each literal, after some that are not. */
const ROUNDS = 40;
const UNMEASURED = 5;
const FIRST = 100;
const TARGET_MS = 60;
/** Time for the syncs of all sources, and for the index to have the last of them. */
const MINUTES = 12;
const VISIBLE_MS = 30_000;
const COUNTED_MS = 120_000;

/** A literal, and the number of lines that the answer must have. */
interface Literal {
  readonly pattern: string;
  readonly where: string;
  readonly lines: number | undefined;
}

/** Code search for literals over many small sources in one scope, over HTTP with receipts. */
export const codeFleetScenario: Scenario = {
  name: 'code-fleet',
  async run(context: BenchContext): Promise<readonly Figure[]> {
    const figures: Figure[] = [];
    context.note('fleet', 'bare repositories of five generated files (3 KiB)');
    for (const size of context.sizes ?? [SOURCES])
      figures.push(...(await searchFleet(size, context)));
    return figures;
  },
};

async function searchFleet(
  size: number,
  { scratch, say, note, minutes = MINUTES, rounds = ROUNDS }: BenchContext,
): Promise<readonly Figure[]> {
  const service = await TwoTenantService.start(ROOMY);
  try {
    const { first: client } = service;
    const sources = await registerFleet(client, size, join(scratch, `code-fleet-${size}`));
    say(`${size} repositories are registered`);
    const sent = startSyncs(client, sources);
    const progress = await untilSynced(client, size, minutes * 60_000, 0);
    await sent;
    await requireCompleted(client, progress.at(-1)?.ended ?? 0);
    await untilVisible(client, size);
    const early = await searchUntilCounted(client, rounds);
    const { pid } = service.service;
    const times: number[] = [];
    const figures: Figure[] = [];
    for (const literal of literalsOf(size)) {
      const before = processorSeconds(pid) ?? 0;
      const measured = await search(client, literal, rounds);
      const processor = ((processorSeconds(pid) ?? 0) - before) / (rounds + UNMEASURED);
      times.push(...measured);
      const { pattern, where } = literal;
      const figure = latency(`\`${pattern}\`, ${where}`, measured);
      const spent = `${(processor * 1_000).toFixed(0)} ms of processor`;
      figures.push({ ...figure, measured: `${figure.measured}, ${spent}` });
      say(`${figure.what}: ${figure.measured}, ${spent}`);
    }
    note('load', loadAverage());
    return [
      {
        ...latency(`first ${FIRST} lines of a literal in ${size} small sources`, times),
        target: `p95 ≤ ${TARGET_MS} ms`,
        met: distribution(times).p95 <= TARGET_MS,
      },
      ...figures,
      latency('the first searches, while the files that syncs left out are counted', early),
    ];
  } finally {
    await service.dispose();
  }
}

/** Returns literals of generated repositories; the last two occur nowhere. */
function literalsOf(size: number): readonly Literal[] {
  return [
    { pattern: 'records.get(key)', where: 'in each source', lines: Math.min(FIRST, size) },
    { pattern: 'ambercedar', where: 'in one source of 256', lines: undefined },
    { pattern: `holds ${size} fields at most`, where: 'in one source', lines: 1 },
    { pattern: `holds ${size + 1} fields at most`, where: 'nowhere', lines: 0 },
    { pattern: 'NetworkClientUtils', where: 'nowhere', lines: 0 },
  ];
}

async function search(
  client: ApiClient,
  { pattern, lines }: Literal,
  rounds: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = -UNMEASURED; round < rounds; round += 1) {
    const { milliseconds: time, result } = await timed(() => find(client, pattern));
    if (round >= 0) times.push(time);
    const isRight = result.count === (lines ?? result.count);
    if (!isRight || (result.count < FIRST && !result.complete))
      throw new Error(
        `${pattern}: ${result.count} lines, ${result.incomplete_reason ?? 'complete'}`,
      );
  }
  return times;
}

/** Searches before the files that syncs left out are counted, and waits until they are. */
async function searchUntilCounted(client: ApiClient, rounds: number): Promise<readonly number[]> {
  const times: number[] = [];
  const search = async (): Promise<CodeSearchResponseView> => {
    const { milliseconds: time, result } = await timed(() => find(client, 'NetworkClientUtils'));
    times.push(time);
    return result;
  };
  while (times.length < rounds) await search();
  const early = times.slice();
  const deadline = Date.now() + COUNTED_MS;
  while ((await search()).warnings.length > 0) {
    if (Date.now() > deadline) throw new Error('The files that syncs left out are not counted');
    await delay(250);
  }
  return early;
}

async function find(client: ApiClient, pattern: string): Promise<CodeSearchResponseView> {
  return client.expect<CodeSearchResponseView>('POST', '/search/code', { pattern, limit: FIRST });
}

async function untilVisible(client: ApiClient, size: number): Promise<void> {
  const deadline = Date.now() + VISIBLE_MS;
  while ((await find(client, 'holds')).sources_searched < size) {
    if (Date.now() > deadline) throw new Error(`The index lacks some of ${size} sources`);
    await delay(100);
  }
}
