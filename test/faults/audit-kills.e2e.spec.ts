import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { askOwner } from '#apps/standalone/admin/socket';
import { type OpenedWitness, openWitness } from '#apps/witness/open-witness';
import { serveWitness, type WitnessServer } from '#apps/witness/serve-witness';
import { type NoteKey, parseCheckpoint, parseVerifierKey } from '#audit';
import { UNDELIVERED_TYPES } from '#contracts';
import type {
  AuditEventList,
  AuditKeyList,
  CheckpointList,
  TrailVerification,
} from '#contracts/http/index';
import { newApiKeySecret, systemClock } from '#platform';
import { ApiClient } from '#test/support/api-client';
import {
  ARMED,
  DELIVERY_POINTS,
  KILL_AT,
  type KillPoint,
  SIGNING_POINTS,
} from '#test/support/kill-points/kill-points';
import { WebhookReceiver } from '#test/support/kill-points/webhook-receiver';
import { ObjectLockServer } from '#test/support/object-lock-server';
import { ServiceProcess, StartingProcess } from '#test/support/service-process';
import { tempDir } from '#test/support/temp-dir';

const STEP_MS = 60_000;

describe('kill -9 of the whole service at each step of signing and of delivery', () => {
  const folder = tempDir('footnote-audit-kills-');
  const logs: NoteKey[] = [];
  const bucket = new ObjectLockServer();
  const receiver = new WebhookReceiver();
  const key = newApiKeySecret().secret;
  let otherKey = '';
  let witness: OpenedWitness;
  let server: WitnessServer;
  let environment: Record<string, string>;
  let starting: StartingProcess;
  let url: string;
  let first: ApiClient;
  let second: ApiClient;

  const start = async (point?: KillPoint) => {
    starting = new StartingProcess({
      dataDir: `${folder.path}/data`,
      key,
      entry: 'test/support/kill-points/killed-service-main',
      environment: { ...environment, ...(point && { [KILL_AT]: point }) },
    });
    ({ url } = await ServiceProcess.whenReady(starting));
    first = new ApiClient(url, key);
    second = new ApiClient(url, otherKey);
  };
  const until = async (what: string, holds: () => boolean | Promise<boolean>) => {
    for (let tries = 0; !(await holds()); tries += 1) {
      if (tries > 1_200) throw new Error(`Not in time: ${what}\n${starting.output.slice(-4_000)}`);
      await delay(50);
    }
  };
  let budget = 3_600;
  const change = (client = first) =>
    client.expect('PUT', '/policy', { staleness_budget_seconds: (budget += 1) });
  const sign = (client = first) => client.call('POST', '/audit/checkpoints');
  const witnessed = async (client: ApiClient) =>
    (await client.expect<TrailVerification>('GET', '/audit/verify')).witnessed;
  const publishKey = async (client: ApiClient) => {
    const { keys } = await client.expect<AuditKeyList>('GET', '/audit/keys');
    for (const published of keys) {
      const parsed = parseVerifierKey(published.key);
      if (parsed) logs.push(parsed);
    }
  };

  beforeAll(async () => {
    const options = { directory: `${folder.path}/witness`, name: 'witness.example', logs };
    witness = await openWitness({ ...options, clock: systemClock });
    const onError = (error: unknown) => {
      throw error;
    };
    const place = { host: '127.0.0.1', port: 0 };
    server = await serveWitness({ witness: witness.witness, ...place, onError });
    environment = {
      ALLOW_PRIVATE_NETWORKS: 'true',
      AUDIT_WITNESSES: `${witness.key} ${server.url}`,
      AUDIT_COPIES_ENDPOINT: await bucket.start(),
      AUDIT_COPIES_ACCESS_KEY_ID: 'id',
      AUDIT_COPIES_SECRET_ACCESS_KEY: 'secret',
    };
    await start();
    const parameters = { name: 'Second' };
    const dataDir = `${folder.path}/data`;
    const created = await askOwner(dataDir, 'create-tenant', parameters, STEP_MS);
    otherKey = (created as { key: string }).key;
    second = new ApiClient(url, otherKey);
    const hook = await receiver.start();
    for (const client of [first, second]) {
      await client.expect('POST', '/webhooks', { name: 'All', url: hook });
      await change(client);
      expect((await sign(client)).status).toBe(200);
      await publishKey(client);
    }
    await starting.kill();
  }, STEP_MS);
  afterAll(async () => {
    await starting.kill();
    await receiver.stop();
    await server.close();
    witness.close();
    await bucket.stop();
    folder.remove();
  });

  it.each([...SIGNING_POINTS, ...DELIVERY_POINTS])(
    'dies when %s',
    async (point) => {
      await start(point);
      starting.child.kill('SIGUSR2');
      await starting.says(new RegExp(ARMED), STEP_MS);
      await change().catch(() => undefined);
      await sign().catch(() => undefined);
      expect(await starting.ended(STEP_MS)).toBeNull();
      expect(starting.child.signalCode).toBe('SIGKILL');
    },
    STEP_MS,
  );

  it(
    'dies while a receiver has a request that it has not answered',
    async () => {
      await start();
      receiver.onNext = () => void starting.kill();
      await change().catch(() => undefined);
      expect(await starting.ended(STEP_MS)).toBeNull();
    },
    STEP_MS,
  );

  it(
    'has never signed two heads of one size, neither in the log nor outside',
    async () => {
      await start();
      for (const client of [first, second]) {
        await change(client);
        expect((await sign(client)).status).toBe(200);
        await until('both keepers have the newest checkpoint', async () => {
          const { cosigned, of } = await witnessed(client);
          return cosigned === of;
        });
        expect(await client.expect('GET', '/audit/verify')).toMatchObject({ valid: true });
        const { checkpoints } = await client.expect<CheckpointList>(
          'GET',
          '/audit/checkpoints?limit=100',
        );
        const sizes = checkpoints.map(({ size }) => size);
        expect(new Set(sizes).size).toBe(sizes.length);
        expect(sizes.length).toBeGreaterThan(1);
        await until('the bucket has the newest checkpoint', () =>
          headsOutside(bucket).some(({ root }) => root === checkpoints[0]?.root),
        );
      }
      const heads = headsOutside(bucket);
      const roots = new Map(heads.map(({ origin, size, root }) => [`${origin} ${size}`, root]));
      for (const { origin, size, root } of heads) expect(roots.get(`${origin} ${size}`)).toBe(root);
      expect(new Set(heads.map(({ origin }) => origin)).size).toBe(2);
    },
    STEP_MS,
  );

  it(
    'has delivered every event to its subscriber, in order, each with one webhook-id',
    async () => {
      for (const client of [first, second]) {
        const wanted = await deliverable(client);
        expect(wanted.length).toBeGreaterThan(2);
        const got = () => receiver.received.filter(({ id }) => wanted.includes(id));
        await until('the last event arrives', () => got().at(-1)?.id === wanted.at(-1));
        const ids = got().map(({ id }) => id);
        expect([...new Set(ids)]).toEqual(wanted);
      }
      for (const { webhookId, id } of receiver.received) expect(webhookId).toBe(id);
      const repeated = receiver.received.length - new Set(receiver.received.map(idOf)).size;
      expect(repeated).toBeGreaterThan(0);
    },
    STEP_MS,
  );

  /** Ids of the events after the creation of the endpoint that endpoints receive, in order. */
  async function deliverable(client: ApiClient): Promise<readonly string[]> {
    const ids: string[] = [];
    let isCreated = false;
    for (let after = ''; ;) {
      const path = `/audit/events?order=asc&limit=100${after}`;
      const page = await client.expect<AuditEventList>('GET', path);
      for (const { id, type } of page.events) {
        if (isCreated && !UNDELIVERED_TYPES.includes(type)) ids.push(id);
        isCreated ||= type === 'WebhookCreated';
      }
      if (page.next === null) return ids;
      after = `&after=${page.next}`;
    }
  }
});

/** Returns the checkpoints that left the process, which nobody can take back. */
function headsOutside({ versions }: ObjectLockServer) {
  return versions.flatMap(({ body }) => {
    const head = parseCheckpoint(body);
    return head ? [{ ...head, root: head.root.toString('hex') }] : [];
  });
}

function idOf({ id }: { readonly id: string }): string {
  return id;
}
