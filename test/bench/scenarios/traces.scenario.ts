import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { syncRepository } from '../corpus.js';
import { inParallel, timed } from '../measure.js';
import { processorSeconds } from '../process-time.js';
import { makeQueries } from '../queries.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const ROUNDS = 3;
const SEARCHES = 1_000;
const WARM_UP = 300;
const CLIENTS = 8;
const SYNCS = 60;
const MOST_PERCENT = 2;

/**
 * Cost of traces: searches by eight clients, then syncs without changes, with and without
 * `OTEL_EXPORTER_OTLP_ENDPOINT`, in turn. `--rounds` sets the number of pairs; medians count.
 */
export const tracesScenario: Scenario = {
  name: 'traces',
  async run({ repositories, scratch, rounds = ROUNDS, say, note }: BenchContext) {
    const [folder] = repositories;
    if (folder === undefined) throw new Error('The traces scenario needs a repository');
    const sink = await Sink.start();
    const traced = { ...ROOMY, OTEL_EXPORTER_OTLP_ENDPOINT: sink.url };
    const service = await TwoTenantService.start(ROOMY);
    try {
      say(`first sync of ${folder}`);
      const { source } = await syncRepository(service.first, folder, scratch);
      const queries = await makeQueries(service.first, SEARCHES);
      const off: Round[] = [];
      const on: Round[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        // The order alternates: the machine may become slower with time.
        for (const traces of round % 2 === 1 ? [false, true] : [true, false]) {
          say(`round ${round}, ${traces ? 'with' : 'without'} traces`);
          await service.restart(undefined, traces ? traced : ROOMY);
          (traces ? on : off).push(await measure(service, source.id, queries));
        }
      }
      if (sink.bytes === 0) throw new Error('No trace arrived');
      note('traces', `${rounds} rounds, ${(sink.bytes / 1_048_576).toFixed(1)} MiB of spans`);
      return [
        compared('searches, 8 clients', '/s', off, on, ({ searches }) => searches, true),
        compared('processor time of a search', ' ms', off, on, ({ searchMs }) => searchMs, false),
        compared('syncs without changes', '/s', off, on, ({ syncs }) => syncs, true),
        compared('processor time of a sync', ' ms', off, on, ({ syncMs }) => syncMs, false),
      ];
    } finally {
      await service.dispose();
      await sink.stop();
    }
  },
};

/** One round: rates per second, and processor milliseconds of the service for each. */
interface Round {
  readonly searches: number;
  readonly searchMs: number;
  readonly syncs: number;
  readonly syncMs: number;
}

async function measure(
  { first: client, service }: TwoTenantService,
  source: string,
  queries: readonly string[],
): Promise<Round> {
  const search = async (index: number) =>
    void (await client.search(queries[index % queries.length] ?? ''));
  await inParallel(CLIENTS, WARM_UP, search);
  const searched = await costOf(service.pid, SEARCHES, () => inParallel(CLIENTS, SEARCHES, search));
  await client.syncToEnd(source);
  const synced = await costOf(service.pid, SYNCS, async () => {
    for (let turn = 0; turn < SYNCS; turn += 1) await client.syncToEnd(source);
  });
  return {
    searches: searched.perSecond,
    searchMs: searched.processorMs,
    syncs: synced.perSecond,
    syncMs: synced.processorMs,
  };
}

async function costOf(pid: number, count: number, work: () => Promise<unknown>) {
  const before = processorSeconds(pid) ?? 0;
  const { milliseconds } = await timed(work);
  const processorMs = (((processorSeconds(pid) ?? 0) - before) * 1_000) / count;
  return { perSecond: (count / milliseconds) * 1_000, processorMs };
}

function compared(
  what: string,
  unit: string,
  off: readonly Round[],
  on: readonly Round[],
  of: (round: Round) => number,
  isRate: boolean,
): Figure {
  const [without, withTraces] = [median(off.map(of)), median(on.map(of))];
  const change = (withTraces / without - 1) * 100;
  const figure = {
    what: `${what}, without → with traces`,
    measured: `${without.toFixed(1)} → ${withTraces.toFixed(1)}${unit} (${change > 0 ? '+' : ''}${change.toFixed(1)} %)`,
    raw: { without, withTraces, change, rounds: JSON.stringify([off.map(of), on.map(of)]) },
  };
  return isRate
    ? { ...figure, target: `≥ −${MOST_PERCENT} %`, met: change >= -MOST_PERCENT }
    : figure;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** A collector on loopback that counts bytes and reads nothing: its own cost stays small. */
class Sink {
  bytes = 0;
  private readonly server = createServer((request, response) => {
    request.on('data', (part: Buffer) => (this.bytes += part.length));
    request.on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  });

  static async start(): Promise<Sink> {
    const sink = new Sink();
    sink.server.listen(0, '127.0.0.1');
    await once(sink.server, 'listening');
    return sink;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
