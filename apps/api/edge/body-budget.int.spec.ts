import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { PushHookView } from '#contracts/http/index';
import { ApiHarness } from '#test/support/api/api-harness';
import { type HttpClient, httpClientOf } from '#test/support/api/http-client';

import { PUSH_BODY_LIMIT } from './raw-push-body.js';
import { UNVERIFIED_BODY_BYTES } from './use-body-budget.js';

const FLOOD = 14;

describe('bodies without valid credentials', () => {
  let api: ApiHarness;
  let http: HttpClient;
  let source: string;
  let secret: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    http = await httpClientOf(api);
    source = await api.createSource();
    secret = (await api.call<PushHookView>('POST', `/sources/${source}/hooks`)).body.secret ?? '';
  });
  afterAll(() => api.stop());

  const held = () => api.app.getHttpAdapter().getInstance().bodyBudget.held;
  const until = async (fits: () => boolean) => {
    while (!fits()) await new Promise((resolve) => setTimeout(resolve, 10));
  };

  it('hold no more than the budget, and a small push passes during a flood', async () => {
    const answers: string[] = [];
    const sockets = await Promise.all(Array.from({ length: FLOOD }, () => flood(answers)));
    // The flood's last bytes are withheld: what fits the budget stays, the rest is answered.
    await until(() => answers.length >= FLOOD - UNVERIFIED_BODY_BYTES / PUSH_BODY_LIMIT);
    expect(held()).toBeLessThanOrEqual(UNVERIFIED_BODY_BYTES);
    for (const answer of answers) {
      expect(answer).toMatch(/^HTTP\/1.1 503 /);
      expect(answer).toMatch(/retry-after: \d+/i);
    }

    const body = JSON.stringify({ ref: 'refs/heads/main', after: 'c0ffee' });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const headers = { 'x-github-event': 'push', 'x-hub-signature-256': `sha256=${signature}` };
    const push = http.request
      .post(`/sources/${source}/hooks/push`)
      .set('content-type', 'application/json');
    expect((await push.set(headers).send(body)).status).toBe(202);

    for (const socket of sockets) socket.destroy();
    await until(() => held() === 0);
  });

  it('count for every route, and are forgotten when the request has ended', async () => {
    for (const path of ['/auth/login', '/auth/register', '/sources', '/nowhere']) {
      const { status } = await http.request.post(path).send({ text: 'x'.repeat(100_000) });
      expect([path, status]).toEqual([path, expect.any(Number)]);
      expect(status).toBeGreaterThanOrEqual(400);
    }
    await until(() => held() === 0);
  });

  it('leave the connection usable after an answer that read nothing', async () => {
    const socket = connect(http.port, '127.0.0.1');
    await once(socket, 'connect');
    let answers = '';
    socket.setEncoding('latin1').on('data', (text: string) => (answers += text));
    const junk = 'x'.repeat(500_000);
    socket.write(
      `POST /nowhere HTTP/1.1\r\nhost: x\r\ncontent-type: text/x\r\ncontent-length: ${junk.length}\r\n\r\n`,
    );
    socket.write(`${junk}GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n`);
    await until(() => answers.includes('HTTP/1.1 200'));
    socket.destroy();
  });

  /** Sends the largest push but for its last byte. */
  async function flood(answers: string[]): Promise<Socket> {
    const socket = connect(http.port, '127.0.0.1');
    await once(socket, 'connect');
    socket
      .on('error', () => undefined)
      .once('data', (bytes: Buffer) => answers.push(bytes.toString('latin1')));
    const type = 'content-type: application/json\r\nx-hub-signature-256: sha256=00\r\n';
    socket.write(
      `POST /sources/${source}/hooks/push HTTP/1.1\r\nhost: x\r\n${type}content-length: ${PUSH_BODY_LIMIT}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(PUSH_BODY_LIMIT - 1, 'x'));
    return socket;
  }
});
