import { beforeEach, describe, expect, it } from '@jest/globals';

import type { DomainEvent, Position, RecordedEvent } from '#contracts';
import { type EventStore, upcast } from '#event-store';
import { type Clock, type KeyRing, seeded, signWebhook, silentLogger } from '#platform';
import type { GuardedHttp } from '#platform/http/guarded-http';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { memoryTrail } from '#test/support/memory-trail';
import { proposed, TENANT_A, TENANT_B } from '#test/support/sample-events';

import { RETRY_PAUSES_MS } from './retry-schedule.js';
import { WebhookDeliveries } from './webhook-deliveries.js';

const START = Date.UTC(2026, 0, 1);
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;

interface Received {
  readonly url: string;
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: readonly string[];
  readonly body: string;
}

describe('the deliveries of webhooks', () => {
  let now: number;
  let store: MemoryEventStore;
  let received: Received[];
  let answer: (request: Received) => number | Promise<number>;
  let stop: AbortController;

  const clock: Clock = { now: () => new Date(now), monotonic: () => now };
  /** Texts are sealed as their place and themselves. */
  const keyRing: Pick<KeyRing, 'open'> = {
    open: async (tenantId, context, sealed) => {
      const place = `${tenantId}/${context}/`;
      if (!sealed.startsWith(place)) throw new Error(`${sealed} is not sealed for ${place}`);
      return sealed.slice(place.length);
    },
  };
  const http: Pick<GuardedHttp, 'request'> = {
    request: async (url, { headers = {}, body = '' } = {}) => {
      const request = {
        url,
        id: headers['webhook-id'] ?? '',
        timestamp: headers['webhook-timestamp'] ?? '',
        signatures: headers['webhook-signature']?.split(' ') ?? [],
        body: String(body),
      };
      received.push(request);
      const status = await answer(request);
      return { url, status, headers: {}, body: new Uint8Array() };
    },
  };

  const record = (event: DomainEvent, tenant_id = TENANT_A, stream = `webhooks-${tenant_id}`) =>
    store.record(
      stream as `webhooks-${string}`,
      proposed(event, { tenant_id, occurred_at: clock.now().toISOString() }),
    );
  const policy = (seconds: number, tenant = TENANT_A): RecordedEvent => {
    const data = { changes: { staleness_budget_seconds: seconds } };
    return record({ type: 'PolicyUpdated', data }, tenant, `policy-${tenant}`);
  };
  const create = (webhook_id: string, types: string[] | null = null, tenant = TENANT_A) =>
    record(
      {
        type: 'WebhookCreated',
        data: {
          webhook_id,
          name: webhook_id,
          url: `${tenant}/webhook-${webhook_id}/url/https://${webhook_id}.example/`,
          types,
          secret_id: 's1',
          secret: `${tenant}/webhook-${webhook_id}/secret/s1/${SECRET}`,
          created_at: clock.now().toISOString(),
        },
      },
      tenant,
    );

  /** A process that folds the log and leads. Of history it gets only the events that it folds. */
  function start(log: EventStore = store, readModel = memoryTrail(store)) {
    const reactor = new WebhookDeliveries({
      store: log,
      readModel,
      http,
      keyRing,
      clock,
      logger: silentLogger,
    });
    let folded = 0;
    const fold = (isLive: boolean) => {
      for (const event of store.events.slice(folded)) {
        if (reactor.eventTypes.some((type) => type === event.type)) {
          try {
            const read = upcast(event);
            if (read.kind === 'known') reactor.apply(read.event);
          } catch {
            reactor.unreadable(event);
          }
        }
        if (isLive && reactor.noticedEventTypes.some((type) => type === event.type))
          reactor.notice(event);
      }
      folded = store.events.length;
    };
    fold(false);
    const lead = reactor.takeOver();
    return {
      /** Runs until nothing is due. */
      async settle(signal = stop.signal): Promise<void> {
        await lead;
        for (let length = -1; length !== store.events.length;) {
          length = store.events.length;
          fold(true);
          await reactor.run({ signal });
          await reactor.release();
        }
      },
      async run(): Promise<void> {
        await lead;
        await reactor.run({ signal: stop.signal });
      },
    };
  }

  const sequences = (webhook: string) =>
    received
      .filter(({ url }) => url.includes(`${webhook}.`))
      .map(({ body }) => (JSON.parse(body) as { sequence: string }).sequence);
  const eventsOf = (type: string) => store.events.filter((event) => event.type === type);

  beforeEach(() => {
    now = START;
    store = new MemoryEventStore();
    received = [];
    answer = () => 204;
    stop = new AbortController();
  });

  it('delivers events of the tenant after the creation of the endpoint, by its types, in order', async () => {
    policy(90);
    create('w1', ['PolicyUpdated']);
    create('w2', null, TENANT_B);
    const sent = [policy(60), policy(70, TENANT_B), policy(80)];
    record({ type: 'PolicyReset', data: {} }, TENANT_A, `policy-${TENANT_A}`);
    const process = start();
    await process.settle();
    const own = received.filter(({ url }) => url === 'https://w1.example/');
    expect(own.map(({ id }) => id)).toEqual([sent[0]?.id, sent[2]?.id]);
    expect(JSON.parse(own[0]?.body ?? '')).toMatchObject({
      specversion: '1.0',
      id: sent[0]?.id,
      type: 'PolicyUpdated',
      tenantid: TENANT_A,
      sequence: '0000000000000002',
    });
    const theirs = received.filter(({ url }) => url === 'https://w2.example/');
    expect(theirs.map(({ id }) => id)).toEqual([sent[1]?.id]);
    expect(
      eventsOf('WebhookDelivered')
        .map(({ metadata }) => metadata.tenant_id)
        .sort(),
    ).toEqual([TENANT_A, TENANT_B]);
    const later = policy(90);
    await process.settle();
    expect(received.at(-1)).toMatchObject({ url: 'https://w1.example/', id: later.id });
  });

  it('delivers after an event whose data is unreadable, in its tenant and in others', async () => {
    create('w1', ['PolicyReset']);
    create('w2', null, TENANT_B);
    const process = start();
    store.record(`policy-${TENANT_A}`, {
      ...proposed({ type: 'PolicyReset', data: {} }),
      type: 'PolicyUpdated',
      data: { changes: 'unreadable' },
    });
    const own = record({ type: 'PolicyReset', data: {} }, TENANT_A, `policy-${TENANT_A}`);
    const theirs = policy(60, TENANT_B);
    await process.settle();
    expect(received.map(({ id }) => id).sort()).toEqual([own.id, theirs.id].sort());
  });

  it('causes no loop: deliveries cause no deliveries', async () => {
    create('w1');
    create('w2');
    policy(60);
    const process = start();
    await process.settle();
    const length = store.events.length;
    await process.settle();
    expect(store.events).toHaveLength(length);
    const types = received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
    expect(types.filter((type) => type.startsWith('WebhookDeliver'))).toEqual([]);
  });

  it('signs with the current secret, and with the previous one until its end', async () => {
    create('w1', ['PolicyUpdated']);
    record({
      type: 'WebhookSecretRotated',
      data: {
        webhook_id: 'w1',
        secret_id: 's2',
        secret: `${TENANT_A}/webhook-w1/secret/s2/${OTHER_SECRET}`,
        previous_until: new Date(START + 1_000).toISOString(),
      },
    });
    const process = start();
    policy(60);
    await process.settle();
    now += 2_000;
    policy(70);
    await process.settle();
    const expected = received.map((request) =>
      [OTHER_SECRET, SECRET].map((secret) => signWebhook(secret, request, request.body)),
    );
    expect(received[0]?.signatures).toEqual(expected[0]);
    expect(received[1]?.signatures).toEqual([expected[1]?.[0]]);
    expect(received[1]?.timestamp).toBe(String(Math.floor(now / 1_000)));
  });

  it('tries twelve times within a day under one id, then disables the endpoint', async () => {
    create('w1', ['PolicyUpdated']);
    const [first, second] = [policy(60), policy(70)];
    answer = () => 503;
    const process = start();
    await process.settle();
    for (const pause of RETRY_PAUSES_MS) {
      now += pause - 1;
      await process.settle();
      const before = received.length;
      now += 1;
      await process.settle();
      expect(received).toHaveLength(before + 1);
    }
    expect(received.map(({ id }) => id)).toEqual(Array.from({ length: 12 }, () => first.id));
    expect(now - START).toBeLessThanOrEqual(24 * 3_600_000);
    expect(now - START).toBeGreaterThan(23 * 3_600_000);
    expect(eventsOf('WebhookDisabled').map(({ data }) => data['reason'])).toEqual(['failing']);
    now += 3_600_000;
    await process.settle();
    expect(received).toHaveLength(12);
    // Nothing is lost: the endpoint continues where it stopped.
    answer = () => 200;
    record({ type: 'WebhookEnabled', data: { webhook_id: 'w1' } });
    await process.settle();
    expect(received.slice(12).map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  it.each(['WebhookUpdated', 'TenantErased'] as const)(
    'stops only the tenant with an unreadable %s, however many readable events follow',
    async (type) => {
      create('w1', ['PolicyUpdated']);
      create('w2', ['PolicyUpdated'], TENANT_B);
      const process = start();
      const unreadable = {
        ...proposed({ type: 'PolicyReset', data: {} }, { tenant_id: TENANT_A }),
        type,
        data: { webhook_id: 7, tenant_id: 7 },
      };
      store.record(`webhooks-${TENANT_A}`, unreadable);
      policy(60);
      create('w3', ['PolicyUpdated']);
      policy(70);
      const { id } = policy(80, TENANT_B);
      await process.settle();
      expect(received.map((each) => [each.url, each.id])).toEqual([['https://w2.example/', id]]);
    },
  );

  it('disables an endpoint that answers 410 at once', async () => {
    create('w1', ['PolicyUpdated']);
    policy(60);
    policy(70);
    answer = () => 410;
    await start().settle();
    expect(received).toHaveLength(1);
    expect(eventsOf('WebhookDisabled').map(({ data }) => data['reason'])).toEqual(['gone']);
  });

  it('delivers earlier events that the trail shows only after the lead began', async () => {
    create('w1', ['PolicyUpdated']);
    const { id } = policy(60);
    let shown = 1;
    const trail = memoryTrail({
      get events() {
        return store.events.slice(0, shown);
      },
    });
    const waitFor = async (_: unknown, position: Position) => {
      const isShown = (store.events[shown - 1]?.position ?? '') >= position;
      if (!isShown) shown = store.events.length;
      return isShown;
    };
    await start(store, { ...trail, waitFor }).settle();
    expect(received.map((each) => each.id)).toEqual([id]);
  });

  it('does not let a slow endpoint delay another', async () => {
    create('slow', ['PolicyUpdated']);
    create('fast', ['PolicyUpdated']);
    for (let seconds = 60; seconds < 65; seconds += 1) policy(seconds);
    const held = Promise.withResolvers<number>();
    const done = Promise.withResolvers<void>();
    answer = ({ url }) => {
      if (url.includes('slow')) return held.promise;
      if (sequences('fast').length === 5) done.resolve();
      return 200;
    };
    const process = start();
    await process.run();
    await done.promise;
    expect(sequences('slow')).toHaveLength(1);
    held.resolve(200);
    await process.settle();
    expect(sequences('slow')).toEqual(sequences('fast'));
  });

  it('delivers tests and redeliveries to their endpoint alone, whatever its types', async () => {
    create('w1', ['PolicyReset']);
    create('w2', ['PolicyReset']);
    const earlier = policy(60);
    const process = start();
    const test = record({ type: 'WebhookTestRequested', data: { webhook_id: 'w1' } });
    record({
      type: 'WebhookRedeliveryRequested',
      data: { webhook_id: 'w1', event_id: earlier.id },
    });
    await process.settle();
    expect(received.map(({ url, id }) => [url, id])).toEqual([
      ['https://w1.example/', test.id],
      ['https://w1.example/', earlier.id],
    ]);
  });

  it('stops at a change of types that it has not folded yet', async () => {
    create('w1', ['PolicyReset']);
    const process = start();
    record({
      type: 'WebhookUpdated',
      data: { webhook_id: 'w1', types: ['PolicyReset', 'PolicyUpdated'] },
    });
    const updated = policy(60);
    const reset = record({ type: 'PolicyReset', data: {} }, TENANT_A, `policy-${TENANT_A}`);
    await process.run();
    await process.settle();
    now += 1_000;
    await process.settle();
    expect(received.map(({ id }) => id)).toEqual([updated.id, reset.id]);
  });

  it('delivers nothing to deleted endpoints and for erased tenants', async () => {
    create('w1');
    create('w2', null, TENANT_B);
    record({ type: 'WebhookDeleted', data: { webhook_id: 'w1' } });
    const erasure = { tenant_id: TENANT_B, reason: 'owner_request' } as const;
    record({ type: 'TenantErasureRequested', data: erasure }, TENANT_B, `tenant-${TENANT_B}`);
    policy(60);
    policy(70, TENANT_B);
    await start().settle();
    expect(received).toEqual([]);
  });

  it.each([1, 2, 3, 4])(
    'misses no event and keeps their order when processes die at any step (seed %d)',
    async (seed) => {
      const random = seeded(seed);
      const events: RecordedEvent[] = [];
      const accepted: string[] = [];
      const unreliable: EventStore = Object.assign(Object.create(store) as MemoryEventStore, {
        append: async (...append: Parameters<EventStore['append']>) => {
          const fate = random();
          if (fate < 0.2) throw new Error('The process died before the append');
          const result = await store.append(...append);
          if (fate < 0.4) throw new Error('The process died after the append');
          return result;
        },
      });
      answer = ({ id }) => {
        const fate = random();
        if (fate < 0.15) throw new Error('The connection broke before the request arrived');
        if (accepted.at(-1) !== id) accepted.push(id);
        if (fate < 0.3) throw new Error('The connection broke before the answer arrived');
        return fate < 0.4 ? 500 : 200;
      };
      create('w1', ['PolicyUpdated']);
      for (let round = 0; round < 200; round += 1) {
        if (events.length < 60) events.push(policy(60 + round));
        const life = new AbortController();
        const process = start(unreliable);
        if (random() < 0.3) setImmediate(() => life.abort());
        await process.settle(life.signal);
        now += 60_000;
        if (eventsOf('WebhookDisabled').length > eventsOf('WebhookEnabled').length)
          record({ type: 'WebhookEnabled', data: { webhook_id: 'w1' } });
      }
      const firsts = [...new Set(accepted)];
      expect(firsts).toEqual(events.map(({ id }) => id));
      const bodies = new Map<string, Set<string>>();
      for (const { id, body } of received) bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
      expect([...bodies.values()].every(({ size }) => size === 1)).toBe(true);
    },
  );

  it('records each delivery once when two processes deliver at once', async () => {
    create('w1', ['PolicyUpdated']);
    const events = Array.from({ length: 50 }, (_, index) => policy(60 + index));
    const processes = [start(), start()];
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(processes.map((process) => process.settle()));
      now += 60_000;
    }
    const recorded = eventsOf('WebhookDelivered').flatMap(
      ({ data }) => data['deliveries'] as { event_id: string }[],
    );
    expect(recorded.map(({ event_id }) => event_id)).toEqual(events.map(({ id }) => id));
  });
});
