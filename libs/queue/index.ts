export {
  WORK_QUEUE,
  type ConsumeOptions,
  type QueueDelivery,
  type QueueMessage,
  type WorkQueue,
} from './work-queue.port.js';
export { openSqliteWorkQueue, type SqliteWorkQueueOptions } from './sqlite/sqlite-work-queue.js';
