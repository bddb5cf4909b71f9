import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';

import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { distribution, residentMiB, timed } from '../measure.js';
import { processorSeconds } from '../process-time.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const ROUNDS = 300;
const WARM_UP = 30;
const BATCH = 25;
const STREAMS = 50;
const TARGET_MS = 2;
const TARGET_MIB = 100;

/** The same work as a tool call and as a request of the API. */
const PAIRS = [
  ['search', { query: 'retry with backoff' }, 'POST /search', { query: 'retry with backoff' }],
  ['search_code', { pattern: 'import' }, 'POST /search/code', { pattern: 'import' }],
  ['list_sources', {}, 'GET /sources', undefined],
] as const;

/** Costs of a tool call over its use case, and of many open streams. */
export const agentsScenario: Scenario = {
  name: 'agents',
  async run({ repositories: [repository = '.'], say, rounds = ROUNDS }: BenchContext) {
    const held: ServerResponse[] = [];
    // A repository that never answers, so that the calls which wait for its sync stay open.
    const git = createServer((_request, response) => void held.push(response));
    await once(git.listen(0, '127.0.0.1'), 'listening');
    const service = await TwoTenantService.start({ ...ROOMY, ALLOW_PRIVATE_NETWORKS: 'true' });
    try {
      const source = await service.first.createRepo('repo', pathToFileURL(repository).href);
      await service.first.syncToEnd(source.id);
      const figures: Figure[] = [];
      for (const [tool, input, route, body] of PAIRS) {
        say(`${rounds} calls of ${tool}, in turn with ${route}`);
        figures.push(await overhead(service, { tool, input, route, body }, rounds));
      }
      say(`${STREAMS} streams`);
      const { port } = git.address() as AddressInfo;
      const slow = await service.first.createRepo('slow', `http://127.0.0.1:${port}/x.git`);
      figures.push(await streams(service, await service.first.sync(slow.id)));
      return figures;
    } finally {
      await service.dispose();
      git.closeAllConnections();
      git.close();
    }
  },
};

interface Pair {
  readonly tool: string;
  readonly input: object;
  readonly route: string;
  readonly body: object | undefined;
}

async function overhead(
  service: TwoTenantService,
  { tool, input, route, body }: Pair,
  rounds: number,
): Promise<Figure> {
  const [method = '', path = ''] = route.split(' ');
  const call = async () => {
    const text = await (await callOf(service, tool, input)).text();
    if (!text.includes('"result"')) throw new Error(text);
  };
  const request = async () => void (await service.first.expect(method, path, body));
  const [calls, requests] = [new Work(service), new Work(service)];
  for (let round = 0; round < WARM_UP; round += 1) await call().then(request);
  for (let round = 0; round < rounds; round += BATCH) {
    await calls.repeat(call);
    await requests.repeat(request);
  }
  const more = calls.median - requests.median;
  const processor = calls.processorMs - requests.processorMs;
  const both = `${calls.median.toFixed(2)} and ${requests.median.toFixed(2)} ms`;
  return {
    what: `${tool} over MCP, compared with ${route}: median of ${rounds} calls in turn`,
    measured: `+${more.toFixed(2)} ms (${both}); processor +${processor.toFixed(2)} ms`,
    target: `≤ ${TARGET_MS} ms more`,
    met: more <= TARGET_MS,
    raw: { more, processor, call: calls.median, request: requests.median },
  };
}

/** Calls of one kind, with their times and the processor time of the service. */
class Work {
  private readonly times: number[] = [];
  private processor = 0;

  constructor(private readonly service: TwoTenantService) {}

  /** Calls a batch, one at a time. */
  async repeat(call: () => Promise<void>): Promise<void> {
    const { pid } = this.service.service;
    const before = processorSeconds(pid) ?? NaN;
    for (let at = 0; at < BATCH; at += 1) this.times.push((await timed(call)).milliseconds);
    this.processor += (processorSeconds(pid) ?? NaN) - before;
  }

  get median(): number {
    return distribution(this.times).p50;
  }

  /** Processor time of the service for one call. */
  get processorMs(): number {
    return (this.processor * 1_000) / this.times.length;
  }
}

async function streams(service: TwoTenantService, job_id: string): Promise<Figure> {
  const { pid } = service.service;
  const before = residentMiB(pid) ?? NaN;
  const opened = await Promise.all(
    Array.from({ length: STREAMS }, async () => {
      const response = await callOf(service, 'sync_source', { job_id }, { progressToken: 1 });
      const reader = response.body?.getReader();
      await reader?.read();
      return reader;
    }),
  );
  const during = residentMiB(pid) ?? NaN;
  const ended = Promise.all(opened.map((reader) => drained(reader)));
  const stop = await timed(async () => {
    await service.stop();
    await ended;
  });
  const more = during - before;
  return {
    what: `${STREAMS} open streams of sync_source: memory; stop of the service with all of them`,
    measured: `+${more.toFixed(0)} MiB; ${(stop.milliseconds / 1000).toFixed(1)} s`,
    target: `≤ ${TARGET_MIB} MiB more`,
    met: more <= TARGET_MIB,
    raw: { before, during, stopMs: stop.milliseconds },
  };
}

/** Reads a stream to its end, also one that breaks off. */
async function drained(reader: ReadableStreamDefaultReader | undefined): Promise<void> {
  for (;;) {
    const next = await reader?.read().catch(() => undefined);
    if (!next || next.done) return;
  }
}

function callOf(
  service: TwoTenantService,
  name: string,
  input: object,
  meta?: object,
): Promise<Response> {
  const params = { name, arguments: input, ...(meta && { _meta: meta }) };
  return fetch(`${service.url}/mcp?tools=manage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
}
