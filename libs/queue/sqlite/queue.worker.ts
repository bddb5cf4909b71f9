import { workerData } from 'node:worker_threads';

import { ThreadServer } from '#platform/concurrency/thread-server';

import { QueueDatabase, type QueueDatabaseOptions } from './queue-database.js';

/** The methods of the database that the thread serves. */
export type QueueCall = Exclude<keyof QueueDatabase, symbol>;

export interface QueueRequest {
  readonly call: QueueCall;
  readonly args: readonly unknown[];
}

type Calls = Record<QueueCall, (...args: readonly unknown[]) => unknown>;

const thread = new ThreadServer<QueueRequest>();
try {
  const database = new QueueDatabase(workerData as QueueDatabaseOptions) as unknown as Calls;
  thread.serve(({ call, args }) => database[call](...args));
  thread.opened();
} catch (error) {
  thread.refused(error);
}
