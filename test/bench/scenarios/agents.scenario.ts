import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';

import { ROOMY } from '#test/support/limits';
import { TwoTenantService } from '#test/support/two-tenants';

import { distribution, residentMiB, timed } from '../measure.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const ROUNDS = 300;
const WARM_UP = 30;
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
  const calls: number[] = [];
  const requests: number[] = [];
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const call = await timed(async () => (await callOf(service, tool, input)).text());
    if (!call.result.includes('"result"')) throw new Error(call.result);
    const request = await timed(() => service.first.expect(method, path, body));
    if (round < 0) continue;
    calls.push(call.milliseconds);
    requests.push(request.milliseconds);
  }
  const [one, other] = [distribution(calls), distribution(requests)];
  const more = one.p50 - other.p50;
  return {
    what: `${tool} over MCP, compared with ${route}: median of ${rounds} calls in turn`,
    measured: `+${more.toFixed(2)} ms (${one.p50.toFixed(2)} and ${other.p50.toFixed(2)} ms)`,
    target: `≤ ${TARGET_MS} ms more`,
    met: more <= TARGET_MS,
    raw: { more, call: one.p50, request: other.p50, p95Call: one.p95, p95Request: other.p95 },
  };
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
