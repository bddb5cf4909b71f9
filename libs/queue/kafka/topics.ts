import type { Admin, ITopicConfig } from 'kafkajs';

import type { TopicLayout } from './kafka-options.js';
import type { Reconnecting } from './reconnecting.js';

/**
 * `work`: deleted by age. `dead-letters`: one partition, so that newest first is defined. `latest`:
 * one value per key.
 */
export type TopicKind = 'work' | 'feed' | 'dead-letters' | 'latest';

const DAY_MS = 86_400_000;

/**
 * The topics of one service on a cluster that may have others: their names, and the creation of
 * missing ones.
 */
export class Topics {
  private readonly made = new Map<string, Promise<void>>();

  constructor(
    private readonly admin: Reconnecting<Admin>,
    private readonly layout: TopicLayout,
    private readonly prefix: string,
  ) {}

  nameOf(topic: string): string {
    return topic.startsWith(this.prefix) ? topic : this.prefix + topic;
  }

  deadLettersOf(topic: string): string {
    return `${this.nameOf(topic)}.dead`;
  }

  /**
   * Resolves when the topic of this full name exists.
   * @throws if the brokers are unreachable or reject it.
   */
  ensure(name: string, kind: TopicKind): Promise<void> {
    const known = this.made.get(name);
    if (known) return known;
    const making = this.make(name, kind);
    this.made.set(name, making);
    making.catch(() => this.forget(name));
    return making;
  }

  /** Forgets a topic; to be called when the brokers report that it is missing. */
  forget(name: string): void {
    this.made.delete(name);
  }

  private async make(name: string, kind: TopicKind): Promise<void> {
    await this.admin.use(async (admin) => {
      if ((await admin.listTopics()).includes(name)) return;
      await admin.createTopics({
        topics: [this.configOf(name, kind)],
        waitForLeaders: true,
        timeout: 5_000,
      });
    });
  }

  private configOf(topic: string, kind: TopicKind): ITopicConfig {
    const { partitions, replication } = this.layout;
    const entries: Record<string, string> = {
      'min.insync.replicas': String(Math.max(1, replication - 1)),
      // The broker's clock stamps records, so that ages are comparable between publishers.
      'message.timestamp.type': 'LogAppendTime',
      ...retention(kind),
    };
    return {
      topic,
      numPartitions: kind === 'work' || kind === 'feed' ? partitions : 1,
      replicationFactor: replication,
      configEntries: Object.entries(entries).map(([name, value]) => ({ name, value })),
    };
  }
}

function retention(kind: TopicKind): Record<string, string> {
  switch (kind) {
    case 'work':
    case 'feed':
      return { 'cleanup.policy': 'delete', 'retention.ms': String(7 * DAY_MS) };
    case 'dead-letters':
      return { 'cleanup.policy': 'delete', 'retention.ms': String(30 * DAY_MS) };
    case 'latest':
      return {
        'cleanup.policy': 'compact',
        'segment.bytes': '1048576',
        'min.cleanable.dirty.ratio': '0.1',
      };
  }
}
