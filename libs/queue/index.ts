export { type EventFeed } from './feed.port.js';
export { type PublishOptions, type QueueDelivery, type WorkQueue } from './work-queue.port.js';
export { openSqliteWorkQueue } from './sqlite/sqlite-work-queue.js';
export type { KafkaWorkQueueOptions } from './kafka/kafka-options.js';
