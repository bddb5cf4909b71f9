import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import kafkajs from 'kafkajs';

import { isFootnoteError } from '#contracts';
import { silentLogger, sleep, withTimeout } from '#platform';
import type { KafkaWorkQueueOptions, QueueDelivery, WorkQueue } from '#queue';
import { openKafkaWorkQueue } from '#queue/kafka/kafka-work-queue';

import { describeWhen } from '../support/describe-when.js';
import { type KafkaBroker, startKafkaBroker } from '../support/kafka-broker.js';
import { PROJECT_ROOT } from '../support/project-root.js';

interface Job {
  readonly n: number;
}

const job = (n: number, key = `source-${n}`) => ({ id: `${key}/${n}`, key, body: { n } });
const numbered = (count: number) => Array.from({ length: count }, (_, n) => n);

describeWhen('KAFKA_BROKERS', 'Kafka', () => {
  // The broker of these tests is their own, because they kill it.
  describe('the work queue when Kafka, its neighbors or its messages fail', () => {
    let broker: KafkaBroker;
    let prefix: string;
    const cleanups: (() => Promise<unknown>)[] = [];

    beforeAll(async () => {
      broker = await startKafkaBroker();
    }, 120_000);
    afterAll(() => broker.dispose(), 60_000);
    beforeEach(() => void (prefix = `test-${randomUUID()}.`));
    afterEach(async () => {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    });

    async function open(options: Partial<KafkaWorkQueueOptions> = {}): Promise<WorkQueue> {
      const queue = await openKafkaWorkQueue({
        brokers: [broker.address],
        clientId: 'footnote-test',
        partitions: 4,
        replication: 1,
        logger: silentLogger,
        topicPrefix: prefix,
        leaseMs: 6_000,
        redeliveryDelayMs: 50,
        ...options,
      });
      cleanups.push(() => queue.close());
      return queue;
    }

    function consume(
      queue: WorkQueue,
      handler: (delivery: QueueDelivery<Job>) => Promise<void>,
    ): AbortController {
      const controller = new AbortController();
      const done = queue.consume<Job>('t', handler, { concurrency: 16, signal: controller.signal });
      cleanups.push(() => {
        controller.abort();
        return done;
      });
      return controller;
    }

    /** A client of the test's own, for what the queue would never do. */
    function foreignClient() {
      return new kafkajs.Kafka({ brokers: [broker.address], logLevel: kafkajs.logLevel.NOTHING });
    }

    it('loses nothing when the broker is killed under load and comes back', async () => {
      const queue = await open();
      const seen = new Set<number>();
      consume(queue, async ({ message }) => void seen.add(message.body.n));
      const acknowledged: number[] = [];
      const publishing = (async () => {
        for (let n = 0; n < 600; n += 1) {
          await untilPublished(queue, n);
          acknowledged.push(n);
        }
      })();
      publishing.catch(() => undefined);
      for (const outageMs of [0, 12_000]) {
        const before = acknowledged.length;
        await until(() => acknowledged.length >= before + 150 && seen.size >= before, 60_000);
        await broker.kill();
        await sleep(outageMs);
        await broker.start();
      }
      await withTimeout(publishing, 60_000, 'Not everything could be published');
      await until(() => seen.size === 600, 60_000);
      expect(acknowledged).toEqual(numbered(600));
      await until(async () => (await queue.depth('t')).waiting === 0, 20_000);
    }, 240_000);

    it('rejects with engine_unavailable while the broker is away, within its bound', async () => {
      const queue = await open();
      await queue.publish('t', [job(1)]);
      await broker.kill();
      const began = performance.now();
      const failures = await Promise.all([
        queue.publish('t', [job(2)]).catch((error: unknown) => error),
        queue.depth('t').catch((error: unknown) => error),
        queue.saveCheckpoint('c', '1').catch((error: unknown) => error),
      ]);
      expect(performance.now() - began).toBeLessThan(30_000);
      for (const failure of failures) {
        expect(isFootnoteError(failure, 'engine_unavailable')).toBe(true);
        expect(failure).toMatchObject({ status: 503, retryAfter: expect.any(Number) });
      }
      await broker.start();
      await queue.publish('t', [job(2)]);
      expect((await queue.depth('t')).waiting).toBeGreaterThanOrEqual(2);
    }, 120_000);

    it('keeps a handler that takes longer than the lease, and works on other messages at the same time', async () => {
      const queue = await open();
      const ended: number[] = [];
      let deliveries = 0;
      await queue.publish('t', [job(0)]);
      consume(queue, async ({ message, signal }) => {
        if (message.body.n === 0) {
          deliveries += 1;
          await sleep(14_000, signal);
        }
        ended.push(message.body.n);
      });
      await until(() => deliveries === 1);
      await queue.publish(
        't',
        numbered(40)
          .slice(1)
          .map((n) => job(n)),
      );
      await until(() => ended.length === 39, 8_000);
      await until(() => ended.length === 40, 20_000);
      expect(ended.at(-1)).toBe(0);
      await until(async () => (await queue.depth('t')).waiting === 0);
      expect(deliveries).toBe(1);
    }, 60_000);

    it('gives what a killed process had in hand to another one', async () => {
      const queue = await open();
      await queue.publish(
        't',
        numbered(12).map((n) => job(n)),
      );
      const doomed = startDoomedConsumer(broker.address, prefix);
      cleanups.push(async () => doomed.process.kill('SIGKILL'));
      await until(() => doomed.ids.size === 12, 30_000);
      const seen = new Set<number>();
      consume(queue, async ({ message }) => void seen.add(message.body.n));
      doomed.process.kill('SIGKILL');
      await until(() => seen.size === 12, 30_000);
      await until(async () => (await queue.depth('t')).waiting === 0);
    }, 90_000);

    it('leaves the work of a partition that stays undisturbed when another process joins or leaves', async () => {
      const [first, second] = [await open(), await open()];
      const finish = Promise.withResolvers<void>();
      const taken = { first: [] as string[], second: [] as string[] };
      const started = { first: [] as string[], second: [] as string[] };
      const handler =
        (name: 'first' | 'second') =>
        async ({ message, signal }: QueueDelivery<Job>) => {
          started[name].push(message.id);
          const away = new Promise<never>((_, reject) =>
            signal.addEventListener('abort', () => {
              taken[name].push(message.id);
              reject(new Error('taken away'));
            }),
          );
          await Promise.race([finish.promise, away]);
        };
      await first.publish(
        't',
        numbered(24).map((n) => job(n)),
      );
      consume(first, handler('first'));
      await until(() => started.first.length === 16);
      const leaving = consume(second, handler('second'));
      await until(() => taken.first.length > 0);
      const takenByJoin = [...taken.first];
      await until(() => takenByJoin.every((id) => started.second.includes(id)));
      expect(takenByJoin.length).toBeLessThan(16);

      const startedBefore = started.first.length;
      leaving.abort();
      await until(() => started.first.length > startedBefore);
      expect(taken.first).toEqual(takenByJoin);
      finish.resolve();
      await until(async () => (await first.depth('t')).waiting === 0, 20_000);
    }, 60_000);

    it('puts poison away, says why, and goes on', async () => {
      const queue = await open();
      const foreign = foreignClient();
      const [admin, producer] = [
        foreign.admin(),
        foreign.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner }),
      ];
      await Promise.all([admin.connect(), producer.connect()]);
      cleanups.push(() => Promise.all([admin.disconnect(), producer.disconnect()]));
      const topic = `${prefix}t`;
      const configEntries = [{ name: 'max.message.bytes', value: String(8 * 1024 * 1024) }];
      await admin.createTopics({
        topics: [{ topic, numPartitions: 1, configEntries }],
        waitForLeaders: true,
      });
      const large = `"${'x'.repeat(5 * 1024 * 1024)}"`;
      for (const message of [
        { key: 'k', value: '{"half', headers: { id: 'half' } },
        { key: null, value: '{}', headers: { id: 'keyless' } },
        { key: 'k', value: large, headers: { id: 'large' } },
        { key: 'k', value: '{}' },
      ]) {
        await producer.send({ topic, messages: [message] });
      }
      await queue.publish('t', [job(1, 'k')]);
      const seen: number[] = [];
      consume(queue, async ({ message }) => void seen.push(message.body.n));
      await until(() => seen.length === 1, 20_000);
      await until(async () => (await queue.depth('t')).waiting === 0);
      const letters = await queue.deadLetters('t', 10);
      const reasons = Object.fromEntries(
        letters.map(({ message, reason }) => [message.id, reason]),
      );
      expect(reasons).toEqual({
        half: 'Its body is not JSON',
        keyless: 'It has no key',
        large: expect.stringMatching(/over the limit/),
        [`${topic}/0/3`]: 'It has no id',
      });
    }, 60_000);

    it('creates a deleted topic again, and delivers messages published after that', async () => {
      const queue = await open();
      const seen: number[] = [];
      consume(queue, async ({ message }) => void seen.push(message.body.n));
      await queue.publish(
        't',
        numbered(20).map((n) => job(n)),
      );
      await until(() => seen.length === 20);
      const admin = foreignClient().admin();
      await admin.connect();
      cleanups.push(() => admin.disconnect());
      await admin.deleteTopics({ topics: [`${prefix}t`] });
      await until(async () => {
        await queue.publish('t', [job(100)]).catch(() => undefined);
        return seen.includes(100);
      }, 40_000);
    }, 90_000);

    it('counts what waits, and for how long to a tenth', async () => {
      const queue = await open();
      await queue.publish('t', [job(1), job(2)]);
      const began = performance.now();
      await sleep(3_000);
      const { waiting, oldestAgeMs } = await queue.depth('t');
      expect(waiting).toBe(2);
      expect(oldestAgeMs).toBeGreaterThan(2_500);
      expect(oldestAgeMs).toBeLessThan(performance.now() - began + 500);
    }, 30_000);
  });
});

/** As the dispatcher does: what was not acknowledged is published again. Gives up after 90 s. */
async function untilPublished(queue: WorkQueue, n: number): Promise<void> {
  const end = performance.now() + 90_000;
  for (;;) {
    try {
      return await queue.publish('t', [job(n, `source-${n % 20}`)]);
    } catch (error) {
      if (!isFootnoteError(error, 'engine_unavailable') || performance.now() > end) throw error;
      await sleep(200);
    }
  }
}

function startDoomedConsumer(
  address: string,
  prefix: string,
): { process: ChildProcess; ids: ReadonlySet<string> } {
  const script = join(PROJECT_ROOT, 'dist/test/stack/kafka-consumer.process.js');
  const child = spawn(process.execPath, [script, address, prefix, 't'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ids = new Set<string>();
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) ids.add(line);
  });
  return { process: child, ids };
}

async function until(
  condition: () => boolean | Promise<boolean>,
  milliseconds = 10_000,
): Promise<void> {
  let over = false;
  const wait = async () => {
    while (!over && !(await condition())) await sleep(20);
  };
  try {
    await withTimeout(
      wait(),
      milliseconds,
      `The condition did not come true within ${milliseconds} ms`,
    );
  } finally {
    over = true;
  }
}
