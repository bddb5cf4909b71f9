import { createHmac } from 'node:crypto';
import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { PushHookView } from '#contracts/http/index';
import type { EventStore } from '#event-store';
import { newHookSecret, uuidv7 } from '#platform';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { type HttpClient, httpClientOf } from '#test/support/api/http-client';

import { hookSecretContext } from './hook-secret-seal.js';

describe('push deliveries without a valid signature', () => {
  let api: ApiHarness;
  let http: HttpClient;
  let hooked: string;
  let secret: string;
  /** Streams that the API read. */
  let reads: string[] = [];

  beforeAll(async () => {
    const counting = (log: EventStore): EventStore => ({
      append: (...given) => log.append(...given),
      read: (stream, options) => {
        reads.push(stream);
        return log.read(stream, options);
      },
      subscribe: (options) => log.subscribe(options),
      head: () => log.head(),
      reaches: (position) => log.reaches(position),
      deliveryVersion: log.deliveryVersion,
      close: () => log.close(),
    });
    api = await ApiHarness.start({ between: counting });
    http = await httpClientOf(api);
    hooked = await api.createSource();
    const { body } = await api.call<PushHookView>('POST', `/sources/${hooked}/hooks`);
    secret = body.secret ?? '';
    for (let change = 0; change < 20; change += 1)
      await api.call('PATCH', `/sources/${hooked}`, { name: `N${change}` });
  });
  afterAll(() => api.stop());

  const push = (id: string, headers: Record<string, string>, body = '{}') =>
    http.request
      .post(`/sources/${id}/hooks/push`)
      .set({ 'content-type': 'application/json', ...headers })
      .send(body);
  const signed = (body: string, key = secret) => ({
    'x-github-event': 'push',
    'x-hub-signature-256': `sha256=${createHmac('sha256', key).update(body).digest('hex')}`,
  });

  it('read no stream and answer alike, whatever they name and however they are signed', async () => {
    const without = await api.createSource('Without');
    reads = [];
    const answers = await Promise.all([
      push(hooked, signed('another body')),
      push(hooked, { 'x-gitlab-token': 'x' }),
      push(without, signed('{}')),
      push(without, { 'x-gitlab-token': 'x' }),
      push(unknownId(), signed('{}')),
      push('nonsense', { 'x-gitlab-token': 'x' }),
    ]);
    const [first, ...others] = answers.map(({ status, body }) => [
      status,
      { ...(body as object), request_id: '' },
    ]);
    expect(first).toMatchObject([401, { code: 'unauthorized' }]);
    for (const other of others) expect(other).toEqual(first);
    // The use of a key by an earlier request is recorded about now.
    expect(reads.filter((stream) => !stream.startsWith('apikey-'))).toEqual([]);
  });

  it.each([
    ['an unknown source', () => unknownId(), { 'x-hub-signature-256': 'sha256=00' }],
    ["a wrong token of GitLab's", () => hooked, { 'x-gitlab-token': 'x' }],
    ['no signature', () => hooked, {}],
  ])(
    'are rejected before their body arrives: %s',
    async (_, id, headers: Record<string, string>) => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const head = `POST /sources/${id()}/hooks/push HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
      const answer = await answerTo(
        http.port,
        `${head}${lines.join('')}content-length: 8388608\r\n\r\n{"ref":`,
      );
      expect(answer).toMatch(/^HTTP\/1.1 401 /);
    },
  );

  it('are judged by the newest secret, also where another process set it or removed the hook', async () => {
    const source_id = await api.createSource('Elsewhere');
    const stream = `source-${source_id}` as const;
    expect((await push(source_id, signed('{}'))).status).toBe(401);

    const [hook_id, theirs] = [uuidv7(), newHookSecret()];
    const sealed = await api.keyRing.seal(
      api.tenantA,
      hookSecretContext(source_id, hook_id),
      theirs,
    );
    await api.append(api.tenantA, stream, {
      type: 'SourceHookSet',
      data: { source_id, hook_id, secret: sealed },
    });
    const ping = { ...signed('{}', theirs), 'x-github-event': 'ping' };
    expect((await push(source_id, ping)).body).toMatchObject({ status: 'pong' });
    expect((await push(source_id, signed('{}'))).status).toBe(401);

    await api.append(api.tenantA, stream, { type: 'SourceHookRemoved', data: { source_id } });
    expect((await push(source_id, ping)).status).toBe(401);
  });
});

/**
 * Sends a head with part of a body. @returns the first bytes of the answer; "" where none comes
 * within ten seconds.
 */
function answerTo(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    const end = (answer: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answer);
    };
    const timer = setTimeout(() => end(''), 10_000);
    socket
      .once('data', (bytes: Buffer) => end(bytes.toString('latin1')))
      .once('error', () => end(''));
  });
}
