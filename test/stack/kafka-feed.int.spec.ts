import { randomUUID } from 'node:crypto';

import { afterEach, describe, expect, it } from '@jest/globals';
import kafkajs, { type KafkaMessage } from 'kafkajs';

import { createFeedRelay } from '#apps/projector/feed/feed-relay';
import { type CloudEvent, toCloudEvent } from '#contracts';
import { silentLogger, sleep, withTimeout } from '#platform';
import { openKafkaEventFeed } from '#queue/kafka/kafka-event-feed';

import { describeWhen } from '../support/describe-when.js';
import { MemoryEventStore } from '../support/memory-event-store.js';
import { proposed, someEvents, TENANT_A, TENANT_B } from '../support/sample-events.js';

describeWhen('KAFKA_BROKERS', 'Kafka', (addresses) => {
  const brokers = addresses.split(',');

  describe('the event feed on Kafka', () => {
    const cleanups: (() => Promise<unknown>)[] = [];
    afterEach(async () => {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    });

    it('carries the log as CloudEvents, a tenant in order, and goes on after a restart without repeating', async () => {
      const options = {
        brokers,
        clientId: 'footnote-test',
        partitions: 3,
        replication: 1,
        logger: silentLogger,
        topicPrefix: `test-${randomUUID()}.`,
      };
      const feed = openKafkaEventFeed(options);
      cleanups.push(() => feed.close());
      const eventStore = new MemoryEventStore();
      const record = (count: number) => {
        for (const event of someEvents(count)) {
          eventStore.record('source-a', event);
          const data = { source_id: 'b', job_id: event.id };
          eventStore.record(
            'source-b',
            proposed({ type: 'SourceSyncRequested', data }, { tenant_id: TENANT_B }),
          );
        }
      };
      const relayUntil = async (position: string | undefined) => {
        const relay = createFeedRelay({ eventStore, feed, logger: silentLogger });
        relay.start();
        await until(() => relay.health().position === position);
        await relay.stop();
      };
      record(300);
      await relayUntil(eventStore.events.at(-1)?.position);
      record(10);
      await relayUntil(eventStore.events.at(-1)?.position);

      const messages = await readAll(
        brokers,
        `${options.topicPrefix}events`,
        eventStore.events.length,
      );
      const expected = eventStore.events.map(
        (event) => JSON.parse(JSON.stringify(toCloudEvent(event))) as CloudEvent,
      );
      for (const tenant of [TENANT_A, TENANT_B]) {
        const own = messages.filter(({ key }) => key?.toString() === tenant);
        expect(own.map(({ value }) => JSON.parse(String(value)) as CloudEvent)).toEqual(
          expected.filter(({ tenantid }) => tenantid === tenant),
        );
      }
      expect(messages).toHaveLength(expected.length);
      expect(String(messages[0]?.headers?.['content-type'])).toBe(
        'application/cloudevents+json; charset=UTF-8',
      );
    }, 60_000);
  });
});

/**
 * Reads a topic as any consumer would, until it has `count` records and nothing follows for a
 * while.
 */
async function readAll(addresses: string[], topic: string, count: number): Promise<KafkaMessage[]> {
  const kafka = new kafkajs.Kafka({ brokers: addresses, logLevel: kafkajs.logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: randomUUID(), maxWaitTimeInMs: 50 });
  const messages: KafkaMessage[] = [];
  await consumer.connect();
  try {
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachMessage: async ({ message }) => void messages.push(message),
    });
    await until(() => messages.length >= count);
    await sleep(300);
    return messages;
  } finally {
    await consumer.disconnect();
  }
}

async function until(condition: () => boolean): Promise<void> {
  let over = false;
  const wait = async () => {
    while (!over && !condition()) await sleep(20);
  };
  try {
    await withTimeout(wait(), 20_000, 'The condition did not come true within 20 s');
  } finally {
    over = true;
  }
}
