import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { TestRepository } from '#test/support/git-repository';
import { OpenAiEndpoint } from '#test/support/openai-endpoint';
import { RoverService } from '#test/support/research/rover-service';
import { TwoTenantService } from '#test/support/two-tenants';

const START_MS = 180_000;
const WAIT_MS = 60_000;

/** Work that a call waits for, as the servers see it that do it. */
interface Work {
  readonly tool: string;
  readonly input: () => Promise<object>;
  /** True while a server works on a request. */
  readonly runs: () => boolean;
  /** True once each of these requests lost its client. */
  readonly isLeft: () => boolean;
}

describe('calls of agents that their client cancels', () => {
  const host = new RoverService();
  let embeddings: OpenAiEndpoint;
  let chat: OpenAiEndpoint;
  let gitUrl: string;
  let service: TwoTenantService;
  let client: Client | undefined;

  beforeAll(async () => {
    embeddings = await OpenAiEndpoint.start();
    chat = await OpenAiEndpoint.start();
    const hosted = await host.serveHost();
    gitUrl = hosted['GITHUB_GIT_URL'] ?? '';
    service = await TwoTenantService.start({
      ...hosted,
      EMBEDDING_MODEL: 'scripted',
      EMBEDDING_DIMENSIONS: '64',
      EMBEDDING_BASE_URL: embeddings.url,
      CHAT_MODEL: 'scripted',
      CHAT_BASE_URL: chat.url,
    });
    host.host('slow/lake', { 'a.py': 'x = 1\n' });
  }, START_MS);
  afterEach(async () => {
    await client?.close();
    chat.always = embeddings.always = undefined;
  });
  afterAll(async () => {
    await service?.dispose();
    await host.stop();
    await Promise.all([embeddings.close(), chat.close()]);
  });

  const added = async (url: string) => ({
    source: (await service.first.createRepo('Lake', url)).id,
  });
  const WORK: Readonly<Record<string, Work>> = {
    'git of sync_source': {
      tool: 'sync_source',
      input: () => added(`${gitUrl}/slow/lake`),
      runs: () => host.held.some(({ destroyed }) => !destroyed),
      isLeft: () => host.held.length > 0 && host.held.every(({ destroyed }) => destroyed),
    },
    'embedding of sync_source': {
      tool: 'sync_source',
      input: () => {
        embeddings.always = { kind: 'hang' };
        embeddings.requests.length = 0;
        embeddings.abandoned = 0;
        const folder = `${service.scratch}/${embeddings.connections}`;
        return added(TestRepository.create(folder, { 'a.md': '# Lakes of the north\n' }).url);
      },
      runs: () => embeddings.requests.length > 0,
      isLeft: () => embeddings.abandoned > 0,
    },
    'the model of research': {
      tool: 'research',
      input: async () => {
        chat.always = { kind: 'hang' };
        return { question: 'How deep is the lake?', repos: ['slow/lake'] };
      },
      runs: () => chat.active > 0,
      isLeft: () => chat.active === 0,
    },
  };
  const CASES = (['http', 'stdio'] as const).flatMap((transport) =>
    Object.keys(WORK).map((name) => [transport, name] as const),
  );

  it.each(CASES)(
    'over %s end %s, and the job',
    async (transport, name) => {
      const { tool, input, runs, isLeft } = WORK[name] as Work;
      client = await connected(transport);
      const cancelled = new AbortController();
      const call = client.callTool(
        { name: tool, arguments: { ...(await input()) } },
        { signal: cancelled.signal },
      );
      call.catch(() => undefined);
      await until(runs);
      cancelled.abort();
      await expect(call).rejects.toThrow();
      await until(isLeft);
      await until(async () => (await newestOf(tool)) === 'cancelled');
    },
    START_MS,
  );

  /** Returns the state of the newest job of a tool. */
  async function newestOf(tool: string): Promise<string> {
    const list = tool === 'research' ? '/rover/jobs' : '/jobs';
    const { jobs } = await service.first.expect<{ jobs: { status: string }[] }>('GET', list);
    return jobs[0]?.status ?? '';
  }

  async function connected(transport: 'http' | 'stdio'): Promise<Client> {
    const one = new Client(
      { name: 'spec', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await one.connect(transport === 'http' ? overHttp() : overStdio());
    return one;
  }

  function overHttp(): StreamableHTTPClientTransport {
    const headers = { authorization: `Bearer ${service.key}` };
    const url = new URL(`${service.url}/mcp?tools=manage`);
    return new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  }

  function overStdio(): StdioClientTransport {
    return new StdioClientTransport({
      command: process.execPath,
      args: ['dist/apps/mcp/main.js', '--tools', 'manage'],
      env: { FOOTNOTE_URL: service.url, FOOTNOTE_API_KEY: service.key },
    });
  }
});

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WAIT_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('The condition did not come true');
    await delay(20);
  }
}
