import type { Producer } from 'kafkajs';

import { type LogBinding, parseLogId } from '#platform';

import type { Reconnecting } from './reconnecting.js';
import type { TopicReader } from './topic-reader.js';
import type { Topics } from './topics.js';

/** The name under which the log is kept that topics and checkpoints belong to. */
const LOG = 'log';

/**
 * Small values by name, in a compacted topic of one partition: the newest record of a name is its
 * value. They are read from the topic each time, which is seldom, so that a process sees what
 * another one saved.
 */
export class Checkpoints {
  private readonly topic: string;

  constructor(
    private readonly topics: Topics,
    private readonly producer: Reconnecting<Producer>,
    private readonly reader: TopicReader,
  ) {
    this.topic = topics.nameOf('checkpoints');
  }

  async load(name: string): Promise<string | null> {
    await this.topics.ensure(this.topic, 'latest');
    const records = await this.reader.read(this.topic);
    const newest = records.findLast(({ key }) => key?.toString() === name);
    return newest?.value?.toString() ?? null;
  }

  /** Whether nothing was ever kept but the log that it belongs to. */
  async isEmpty(): Promise<boolean> {
    await this.topics.ensure(this.topic, 'latest');
    const records = await this.reader.read(this.topic);
    return records.every(({ key }) => key?.toString() === LOG);
  }

  /** Resolves when the brokers keep it. */
  async save(name: string, value: string): Promise<void> {
    await this.topics.ensure(this.topic, 'latest');
    await this.producer.use((producer) =>
      producer.send({ topic: this.topic, acks: -1, messages: [{ key: name, value }] }),
    );
  }
}

/**
 * The log that the topics of a prefix belong to: one for work and feed. It lies with the
 * checkpoints, which are what tells from then on how far each has come; topics without them are
 * taken for empty.
 * @param ask runs requests and says what their errors mean
 */
export function checkpointsBinding(
  checkpoints: Checkpoints,
  ask: <T>(work: () => Promise<T>) => Promise<T>,
): LogBinding {
  return {
    boundTo: async () => {
      const found = await ask(() => checkpoints.load(LOG));
      return found === null ? null : parseLogId(found, 'The topic of checkpoints');
    },
    bind: (log) => ask(() => checkpoints.save(LOG, log)),
    isEmpty: () => ask(() => checkpoints.isEmpty()),
  };
}
