import { fileURLToPath } from 'node:url';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { HeldService } from '#test/support/held-service';
import { StdioServer } from '#test/support/stdio-server';

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));
const KEY = 'fnt_x';
const LIST = { name: 'list_sources', arguments: {} };
const HELD = { name: 'search_code', arguments: { pattern: 'x' } };

/** Calls that wait, with the request of the service that their cancellation leads to. */
const LONG_WORK = [
  ['research', { question: 'How?' }, 'DELETE /rover/jobs/job-1'],
  ['sync_source', { source: 'Shop' }, 'POST /jobs/job-1/cancel'],
] as const;

describe('faults of the tools over stdio', () => {
  let service: HeldService;
  let server: StdioServer | undefined;

  beforeAll(async () => {
    service = await HeldService.start();
  });
  afterAll(() => service.stop());
  beforeEach(() => {
    service.requests.length = 0;
    service.abandoned.length = 0;
  });
  afterEach(() => server?.stop());

  async function started(onSignal = ''): Promise<StdioServer> {
    server = StdioServer.start(service.url, KEY, onSignal);
    await server.initialize();
    return server;
  }
  /** Returns once a call waits for the service. */
  async function held(one: StdioServer): Promise<void> {
    one.send('tools/call', HELD, 7);
    await one.until(() => service.requests.includes('POST /search/code'));
  }

  it.each([
    ['an uncaught exception', "throw new Error('crash')"],
    ['an unhandled rejection', "Promise.reject(new Error('crash'))"],
  ])('write no line to stdout at %s', async (_name, onSignal) => {
    const one = await started(onSignal);
    await held(one);
    one.child.kill('SIGUSR2');
    expect(await one.ended()).toBe(1);
    expect(one.messages.map(({ id }) => id)).toEqual([0]);
    expect(one.stderr).toContain('Error: crash');
  });

  it('send lines of libraries to stderr, and go on', async () => {
    const one = await started(
      "console.log('from a library'); console.info('more'); process.stdout.write('raw text')",
    );
    one.child.kill('SIGUSR2');
    await one.until(() => one.stderr.includes('raw text'));
    one.send('tools/call', LIST, 1);
    expect((await one.answer(1)).error).toBeUndefined();
    expect(one.messages.map(({ id }) => id)).toEqual([0, 1]);
    expect(one.stderr).toContain('from a library\nmore\nraw text');
  });

  it('skip lines that are no message, and answer the next one', async () => {
    const one = await started();
    for (const line of ['no json', '{"jsonrpc":"2.0"', '{}', '[]', '42', '"\u2028"', ''])
      one.write(line);
    one.send('tools/call', LIST, 1);
    expect((await one.answer(1)).error).toBeUndefined();
    expect(one.messages.map(({ id }) => id)).toEqual([0, 1]);
    expect(one.stderr).toContain('a line was skipped');
  });

  it('answer a line of 5 MB with an error of its tool', async () => {
    const one = await started();
    const pattern = 'x'.repeat(5 * 1024 * 1024);
    one.send('tools/call', { name: 'search_code', arguments: { pattern } }, 1);
    const { result } = await one.answer(1);
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result).length).toBeLessThan(2_000);
    one.send('tools/call', LIST, 2);
    expect((await one.answer(2)).error).toBeUndefined();
    expect(service.requests).not.toContain('POST /search/code');
  });

  it('end at a line without an end, and report it', async () => {
    const one = await started();
    for (let at = 0; at < 12; at += 1) one.child.stdin.write('x'.repeat(1024 * 1024));
    expect(await one.ended()).toBe(0);
    expect(one.messages.map(({ id }) => id)).toEqual([0]);
    expect(one.stderr).toContain('exceeded maximum size');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('end their work at %s', async (signal) => {
    const one = await started();
    await held(one);
    one.child.kill(signal);
    expect(await one.ended()).toBe(0);
    expect(one.messages.map(({ id }) => id)).toEqual([0]);
    expect(service.abandoned).toEqual(['POST /search/code']);
  });

  it('end their work when the client closes their input', async () => {
    const one = await started();
    await held(one);
    one.child.stdin.end();
    expect(await one.ended()).toBe(0);
    expect(one.messages.map(({ id }) => id)).toEqual([0]);
    expect(service.abandoned).toEqual(['POST /search/code']);
  });

  it('end their work when the client closes the pipe of their answers', async () => {
    const one = await started();
    await held(one);
    one.child.stdout.destroy();
    one.send('tools/call', LIST, 8);
    expect(await one.ended()).toBe(0);
    expect(service.abandoned).toEqual(['POST /search/code']);
    expect(one.stderr).not.toContain('    at ');
  });

  it('close the request of a call that the client cancels', async () => {
    const one = await started();
    await held(one);
    one.send('notifications/cancelled', { requestId: 7 });
    await one.until(() => service.abandoned.length > 0);
    one.send('tools/call', LIST, 8);
    await one.answer(8);
    expect(one.messages.map(({ id }) => id)).toEqual([0, 8]);
    expect(service.abandoned).toEqual(['POST /search/code']);
  });

  it.each(LONG_WORK)('cancel the job of %s with its call', async (name, input, cancelling) => {
    const client = new Client(
      { name: 'spec', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const env = { FOOTNOTE_URL: service.url, FOOTNOTE_API_KEY: KEY };
    const args = [MAIN, '--tools', 'manage'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    const cancelled = new AbortController();
    const call = client.callTool({ name, arguments: input }, { signal: cancelled.signal });
    const seen = (request: string) => service.requests.some((each) => each.startsWith(request));
    const looks = name === 'research' ? 'GET /rover/jobs/' : 'GET /jobs/';
    await until(() => seen(looks));
    cancelled.abort();
    await expect(call).rejects.toThrow();
    await until(() => seen(cancelling));
    await client.close();
  });
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('The condition did not come true');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
