export { EVENT_FEED, type EventFeed } from './feed.port.js';
export {
  WORK_QUEUE,
  type ConsumeOptions,
  type PublishOptions,
  type QueueDelivery,
  type QueueMessage,
  type WorkQueue,
} from './work-queue.port.js';
export { openSqliteWorkQueue, type SqliteWorkQueueOptions } from './sqlite/sqlite-work-queue.js';
export type { KafkaConnection, KafkaWorkQueueOptions } from './kafka/kafka-options.js';
export type { KafkaEventFeedOptions } from './kafka/kafka-event-feed.js';
