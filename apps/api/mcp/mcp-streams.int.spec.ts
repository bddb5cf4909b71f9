import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiHarness } from '#test/support/api/api-harness';

import { Lifecycle } from '../lifecycle/lifecycle.js';

const STREAMS = 50;

/** A call that goes on until its job ends. */
interface Stream {
  /** Resolves with the whole text once the stream has ended. */
  readonly rest: Promise<string>;
}

describe('streams of the MCP endpoint', () => {
  let api: ApiHarness;
  let isStopped = false;

  beforeAll(async () => {
    api = await ApiHarness.start();
    await api.app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    if (!isStopped) await api.stop();
  });

  /** Requests a sync that no worker does. @returns the id of its job. */
  async function waitingJob(name: string): Promise<string> {
    const body = { name, source_type: 'repo', url: `https://example.com/${name}.git` };
    const source = await api.call<{ id: string }>('POST', '/sources', body);
    const path = `/sources/${source.body.id}/sync`;
    return (await api.call<{ job_id: string }>('POST', path)).body.job_id;
  }

  /** Opens a stream of a job's progress, and returns it after its first event. */
  async function opened(key: string, job_id: string): Promise<Stream> {
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/mcp?tools=manage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'sync_source', arguments: { job_id }, _meta: { progressToken: 1 } },
      }),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (reader && !text.includes('notifications/progress')) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`The stream ended: ${response.status} ${text}`);
      text += value;
    }
    return { rest: restOf() };

    async function restOf(): Promise<string> {
      for (;;) {
        const next = await reader?.read().catch(() => undefined);
        if (!next || next.done) return text;
        text += next.value;
      }
    }
  }

  it('end with their key', async () => {
    const { body } = await api.call<{ id: string; key: string }>('POST', '/keys', {
      name: 'agent',
    });
    const job = await waitingJob('lake');
    const { rest } = await opened(body.key, job);
    await api.call('DELETE', `/keys/${body.id}`);
    expect(await rest).not.toContain('"result"');
    expect((await api.call<{ status: string }>('GET', `/jobs/${job}`)).body.status).toBe('pending');
  });

  it(`are open ${STREAMS} at a time, and end with the service, but not their job`, async () => {
    const job = await waitingJob('river');
    const streams = await Promise.all(Array.from({ length: STREAMS }, () => opened(api.keyA, job)));
    await expect(opened(api.keyA, job)).rejects.toThrow('429');
    api.app.get(Lifecycle).drain();
    const texts = await Promise.all(streams.map(({ rest }) => rest));
    expect(texts).toHaveLength(STREAMS);
    const types: string[] = [];
    for await (const { type } of api.store.read(`job-${job}`)) types.push(type);
    expect(types).toEqual(['JobRequested']);
    isStopped = true;
    await api.stop();
  });
});
