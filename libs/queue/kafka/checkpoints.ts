import type { Producer } from 'kafkajs';

import { type LogBinding, parseLogId } from '#platform';

import type { Reconnecting } from './reconnecting.js';
import type { TopicReader } from './topic-reader.js';
import type { Topics } from './topics.js';

/** The name under which the log of topics and checkpoints is stored. */
const LOG = 'log';

/**
 * Small values by name, in a compacted topic of one partition: the newest record of a name is its
 * value. They are read from the topic each time, which is rare, so that a process sees what another
 * one saved.
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

  /** Reports whether nothing was ever stored except the log that it belongs to. */
  async isEmpty(): Promise<boolean> {
    await this.topics.ensure(this.topic, 'latest');
    const records = await this.reader.read(this.topic);
    return records.every(({ key }) => key?.toString() === LOG);
  }

  /** Resolves when the brokers have stored it. */
  async save(name: string, value: string): Promise<void> {
    await this.topics.ensure(this.topic, 'latest');
    await this.producer.use((producer) =>
      producer.send({ topic: this.topic, acks: -1, messages: [{ key: name, value }] }),
    );
  }
}

/**
 * Returns the binding of a prefix's topics to their log, one for work and feed. It is stored with
 * the checkpoints, which record the progress of each. Topics without checkpoints count as empty.
 * @param ask runs requests and translates their errors.
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
