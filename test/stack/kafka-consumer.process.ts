import { silentLogger } from '#platform';
import { openKafkaWorkQueue } from '#queue/kafka/kafka-work-queue';

/**
 * A consumer for tests to kill: `node kafka-consumer.process.js BROKER PREFIX TOPIC`. Prints the id
 * of each message it is given and never finishes one.
 */
const [broker, topicPrefix, topic] = process.argv.slice(2);
if (!broker || !topicPrefix || !topic)
  throw new Error('Usage: kafka-consumer.process.js BROKER PREFIX TOPIC');

const queue = await openKafkaWorkQueue({
  brokers: [broker],
  clientId: 'doomed',
  partitions: 4,
  replication: 1,
  logger: silentLogger,
  topicPrefix,
  leaseMs: 6_000,
});
const forever = new Promise<never>(() => undefined);
await queue.consume(
  topic,
  async ({ message }) => {
    process.stdout.write(`${message.id}\n`);
    await forever;
  },
  { concurrency: 16, signal: new AbortController().signal },
);
