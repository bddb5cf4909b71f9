import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { PUBLIC_TENANT } from '#contracts';
import { sleep, withTimeout } from '#platform';
import type { QueueDelivery, WorkQueue } from '#queue';

export interface OpenedQueue {
  readonly queue: WorkQueue;
  /** Closes the queue and opens it again on the same content, as a restarted process would. */
  reopen(): Promise<WorkQueue>;
  dispose(): Promise<void>;
}

export interface QueueCapabilities {
  /**
   * Publishing an id again changes nothing. Best effort only where the engine has no memory of ids.
   */
  readonly forgetsRepeatedPublishes: boolean;
  /** Deliveries until a message goes to the dead letters, in the queue that `open` gives. */
  readonly maxDeliveries: number;
}

interface Job {
  readonly n: number;
}

const job = (key: string, n: number) => ({ id: `${key}-${n}`, key, body: { n } });

/** The contract of every work queue. `open` returns an empty queue with short redelivery delays. */
export function workQueueContract(
  name: string,
  open: () => Promise<OpenedQueue>,
  capabilities: QueueCapabilities,
): void {
  describe(`work queue contract: ${name}`, () => {
    let opened: OpenedQueue;
    let queue: WorkQueue;
    const stops: (() => Promise<void>)[] = [];

    beforeEach(async () => {
      opened = await open();
      queue = opened.queue;
    });
    afterEach(async () => {
      await Promise.all(stops.splice(0).map((stop) => stop()));
      await opened.dispose();
    });

    /** Starts a consumer; `stop` resolves when it has ended. */
    function consume(
      topic: string,
      handler: (delivery: QueueDelivery<Job>) => Promise<void>,
      concurrency = 1,
    ): () => Promise<void> {
      const controller = new AbortController();
      const done = queue.consume<Job>(topic, handler, { concurrency, signal: controller.signal });
      const stop = async () => {
        controller.abort();
        await done;
      };
      stops.push(stop);
      return stop;
    }

    it('hands out what was published, before and after the consumer came', async () => {
      const seen: number[] = [];
      await queue.publish('t', [job('a', 1)]);
      consume('t', async ({ message }) => void seen.push(message.body.n));
      await until(() => seen.length === 1);
      await queue.publish('t', [job('a', 2)]);
      await until(() => seen.length === 2);
      expect(seen).toEqual([1, 2]);
    });

    it('keeps topics apart', async () => {
      const seen: string[] = [];
      await queue.publish('t', [job('a', 1)]);
      await queue.publish('u', [job('b', 1)]);
      consume('u', async ({ message }) => void seen.push(message.id));
      await until(() => seen.length === 1);
      expect(seen).toEqual(['b-1']);
    });

    it('hands out the messages of a key one at a time and in order, and those of other keys at the same time', async () => {
      const seen: string[] = [];
      let open = 0;
      let mostOfA = 0;
      await queue.publish('t', [job('a', 1), job('a', 2), job('a', 3), job('b', 1)]);
      consume(
        't',
        async ({ message }) => {
          if (message.key === 'a') mostOfA = Math.max(mostOfA, (open += 1));
          await sleep(20);
          if (message.key === 'a') open -= 1;
          seen.push(message.id);
        },
        4,
      );
      await until(() => seen.length === 4);
      expect(seen.filter((id) => id.startsWith('a'))).toEqual(['a-1', 'a-2', 'a-3']);
      expect(mostOfA).toBe(1);
    });

    it('limits a tenant to the configured number of slots', async () => {
      let started = 0;
      const ends: (() => void)[] = [];
      const body = { n: 1, tenant_id: 'a' };
      await queue.publish(
        't',
        ['a', 'b', 'c', 'd', 'e'].map((key) => ({ ...job(key, 1), body })),
      );
      const controller = new AbortController();
      const done = queue.consume<Job>(
        't',
        async () => {
          started += 1;
          await new Promise<void>((resolve) => ends.push(resolve));
        },
        { concurrency: 4, byTenant: true, mostOfTenant: 3, signal: controller.signal },
      );
      stops.push(async () => {
        controller.abort();
        ends.splice(0).forEach((end) => end());
        await done;
      });
      await until(() => started === 3);
      await sleep(200);
      expect(started).toBe(3);
    });

    it('goes round by tenant, and gives none more than half of the places', async () => {
      const started: string[] = [];
      const ends: (() => void)[] = [];
      const of = (tenant: string, ...numbers: number[]) =>
        numbers.map((n) => ({ ...job(`${tenant}${n}`, n), body: { n, tenant_id: tenant } }));
      await queue.publish('t', of('a', 1, 2, 3, 4, 5, 6));
      const controller = new AbortController();
      const done = queue.consume<Job>(
        't',
        async ({ message }) => {
          started.push(message.key);
          await new Promise<void>((resolve) => ends.push(resolve));
        },
        { concurrency: 4, byTenant: true, signal: controller.signal },
      );
      stops.push(async () => {
        controller.abort();
        ends.splice(0).forEach((end) => end());
        await done;
      });
      await until(() => started.length === 2);
      await sleep(200);
      // Which of them is a matter of the broker's partitions; how many is not.
      const tenants = () => started.map((key) => key.slice(0, 1));
      expect(tenants()).toEqual(['a', 'a']);
      await queue.publish('t', [...of('b', 1), ...of('c', 1)]);
      await until(() => started.length === 4);
      expect(tenants().slice(2).toSorted()).toEqual(['b', 'c']);
      ends.shift()?.();
      await until(() => started.length === 5);
      while (started.length < 8 || ends.length > 0) {
        ends.shift()?.();
        await sleep(20);
      }
      expect(started.toSorted()).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'c1']);
    });

    it('hands out what requests wait for before what waits in line', async () => {
      const started: string[] = [];
      const ends: (() => void)[] = [];
      const of = (tenant: string, key: string) => ({
        ...job(key, 1),
        body: { n: 1, tenant_id: tenant },
      });
      await queue.publish('t', [of(PUBLIC_TENANT, 'package0'), of('a', 'a1')]);
      const controller = new AbortController();
      const done = queue.consume<Job>(
        't',
        async ({ message }) => {
          started.push(message.key);
          await new Promise<void>((resolve) => ends.push(resolve));
        },
        { concurrency: 2, byTenant: true, signal: controller.signal },
      );
      stops.push(async () => {
        controller.abort();
        ends.splice(0).forEach((end) => end());
        await done;
      });
      await until(() => started.length === 2);
      // By turns the tenant that never had one would come first.
      await queue.publish('t', [of('b', 'b1'), of(PUBLIC_TENANT, 'package1')]);
      // What a broker has taken is in the consumer's hands a moment later.
      await sleep(500);
      ends[started.indexOf('package0')]?.();
      await until(() => started.length === 3);
      expect(started[2]).toBe('package1');
    });

    it('redelivers what was rejected, before what follows it in its key', async () => {
      const seen: string[] = [];
      await queue.publish('t', [job('a', 1), job('a', 2)]);
      consume('t', async ({ message, deliveries }) => {
        seen.push(`${message.id} ${deliveries}`);
        if (message.id === 'a-1' && deliveries === 1) throw new Error('not yet');
      });
      await until(() => seen.length === 3);
      expect(seen).toEqual(['a-1 1', 'a-1 2', 'a-2 1']);
    });

    it('gives a poisonous message up to the dead letters, and goes on with its key', async () => {
      const seen: string[] = [];
      await queue.publish('t', [job('a', 1), job('a', 2)]);
      consume('t', async ({ message }) => {
        seen.push(message.id);
        if (message.id === 'a-1') throw new Error('poison');
      });
      await until(() => seen.includes('a-2'));
      expect(seen.filter((id) => id === 'a-1')).toHaveLength(capabilities.maxDeliveries);
      expect(await queue.deadLetters('t', 10)).toEqual([
        { message: job('a', 1), reason: 'poison' },
      ]);
    });

    if (capabilities.forgetsRepeatedPublishes) {
      it('takes a repeated publish as done, while the message waits and after it was handled', async () => {
        const seen: string[] = [];
        await queue.publish('t', [job('a', 1), job('a', 1)]);
        await queue.publish('t', [job('a', 1)]);
        consume('t', async ({ message }) => void seen.push(message.id));
        await until(() => seen.length === 1);
        await until(async () => (await queue.depth('t')).waiting === 0);
        await queue.publish('t', [job('a', 1), job('a', 2)]);
        await until(() => seen.includes('a-2'));
        expect(seen).toEqual(['a-1', 'a-2']);
      });
    }

    it('waits for the handlers in flight when it stops, and aborts their signals', async () => {
      let reported = false;
      let ended = false;
      await queue.publish('t', [job('a', 1)]);
      const started = Promise.withResolvers<void>();
      const stop = consume('t', async ({ signal }) => {
        signal.addEventListener('abort', () => (reported = true));
        started.resolve();
        await sleep(100);
        ended = true;
      });
      await started.promise;
      await stop();
      expect({ reported, ended }).toEqual({ reported: true, ended: true });
    });

    it('redelivers after a restart what was not acknowledged', async () => {
      await queue.publish('t', [job('a', 1)]);
      const started = Promise.withResolvers<void>();
      const stop = consume('t', async ({ signal }) => {
        started.resolve();
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => reject(new Error('shut down'))),
        );
      });
      await started.promise;
      await stop();
      queue = await opened.reopen();
      const seen: string[] = [];
      consume('t', async ({ message }) => void seen.push(message.id));
      await until(() => seen.length === 1);
      expect(seen).toEqual(['a-1']);
    });

    it('reports the number of waiting messages and the age of the oldest', async () => {
      expect(await queue.depth('t')).toEqual({ waiting: 0, oldestAgeMs: null });
      await queue.publish('t', [job('a', 1), job('b', 1)]);
      const { waiting, oldestAgeMs } = await queue.depth('t');
      expect(waiting).toBe(2);
      expect(oldestAgeMs).toBeGreaterThanOrEqual(0);
    });

    it('keeps checkpoints over a restart', async () => {
      expect(await queue.loadCheckpoint('d')).toBeNull();
      await queue.saveCheckpoint('d', '1');
      await queue.saveCheckpoint('d', '2');
      queue = await opened.reopen();
      expect(await queue.loadCheckpoint('d')).toBe('2');
    });
  });
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const wait = async () => {
    while (!(await condition())) await sleep(5);
  };
  await withTimeout(wait(), 10_000, 'The condition did not come true within 10 s');
}
