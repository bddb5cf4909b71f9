import type { Producer } from 'kafkajs';

import type { Reconnecting } from './reconnecting.js';
import type { TopicReader } from './topic-reader.js';
import type { Topics } from './topics.js';

/**
 * Small values by name, in a compacted topic of one partition: the newest record of a name is its value. They are read from
 * the topic each time, which is seldom, so that a process sees what another one saved.
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

  /** Resolves when the brokers keep it. */
  async save(name: string, value: string): Promise<void> {
    await this.topics.ensure(this.topic, 'latest');
    await this.producer.use((producer) =>
      producer.send({ topic: this.topic, acks: -1, messages: [{ key: name, value }] }),
    );
  }
}
