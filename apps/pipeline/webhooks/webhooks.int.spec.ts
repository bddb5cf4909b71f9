import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { CreatedWebhookView, WebhookDeliveryList } from '#contracts/http/index';
import { upcast } from '#event-store';
import { AddressGuard, signWebhook, silentLogger, sleep, systemClock } from '#platform';
import { GuardedHttp } from '#platform/http/guarded-http';
import { ApiHarness } from '#test/support/api/api-harness';

import { WebhookDeliveries } from './webhook-deliveries.js';

interface Received {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

describe('webhooks over HTTP', () => {
  let api: ApiHarness;
  let server: Server;
  let url: string;
  let received: Received[];
  const stop = new AbortController();
  let following: Promise<void>;

  beforeAll(async () => {
    api = await ApiHarness.start({ environment: { ALLOW_PRIVATE_NETWORKS: 'true' } });
    received = [];
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    following = lead(true);
  });
  afterAll(async () => {
    stop.abort();
    await following;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await api.stop();
  });

  /** Runs the reactor as the pipeline does, until the test ends. */
  async function lead(allowPrivateNetworks: boolean): Promise<void> {
    const guard = new AddressGuard({ allowPrivateNetworks });
    const http = new GuardedHttp({ guard, ports: 'any' });
    const { store, readModel, keyRing } = api;
    const reactor = new WebhookDeliveries({
      store,
      readModel,
      keyRing,
      http,
      clock: systemClock,
      logger: silentLogger,
    });
    const { signal } = stop;
    for await (const delivery of store.subscribe({ after: 'start', signal })) {
      if (delivery.kind === 'event') {
        const read = upcast(delivery.event);
        if (read.kind === 'known') reactor.apply(read.event);
        reactor.notice(delivery.event);
      }
      if (delivery.kind !== 'checkpoint') await reactor.run({ signal });
    }
    await reactor.release();
    await http.close();
  }

  const until = async (condition: () => boolean | Promise<boolean>) => {
    while (!(await condition())) await sleep(10);
  };

  it('delivers signed events of the tenant, signed checkpoints among them', async () => {
    const types = ['PolicyUpdated', 'CheckpointSigned'];
    const create = (key: string) =>
      api.call<CreatedWebhookView>('POST', '/webhooks', { name: 'SIEM', url, types }, { key });
    const { body: webhook } = await create(api.keyA);
    const { body: other } = await create(api.keyB);
    await api.call('PUT', '/policy', { staleness_budget_seconds: 7_200 });
    await api.call('POST', '/audit/checkpoints');
    await until(() => received.length >= 2);
    const events = received.map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(events).toMatchObject([
      { type: 'PolicyUpdated', tenantid: api.tenantA },
      { type: 'CheckpointSigned', tenantid: api.tenantA },
    ]);
    for (const { headers, body } of received) {
      const id = String(headers['webhook-id']);
      const timestamp = String(headers['webhook-timestamp']);
      const secret = String(webhook.secret);
      expect(headers['webhook-signature']).toBe(signWebhook(secret, { id, timestamp }, body));
      expect((JSON.parse(body) as { id: string }).id).toBe(id);
    }
    const listOf = async (id: string, key: string) =>
      (await api.call<WebhookDeliveryList>('GET', `/webhooks/${id}/deliveries`, undefined, { key }))
        .body.deliveries;
    await until(async () => (await listOf(webhook.id, api.keyA)).length >= 2);
    expect(await listOf(webhook.id, api.keyA)).toMatchObject(
      [...events].reverse().map(({ id, type }) => ({
        event_id: id,
        event_type: type,
        status: 'delivered',
        status_code: 204,
        attempt: 1,
      })),
    );
    expect(await listOf(other.id, api.keyB)).toEqual([]);
  });
});
