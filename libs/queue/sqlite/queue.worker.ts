import { parentPort, workerData } from 'node:worker_threads';

import { QueueDatabase, type QueueDatabaseOptions } from './queue-database.js';

/** The methods of the database that the thread answers to. */
export type QueueCall = Exclude<keyof QueueDatabase, symbol>;

export interface QueueRequest {
  readonly id: number;
  readonly call: QueueCall;
  readonly args: readonly unknown[];
}

/** An error as it crosses threads; cloning drops the fields that SQLite adds. */
export interface QueueThreadError {
  readonly message: string;
  /** SQLite's extended result code, 0 for other errors. */
  readonly errcode: number;
}

export type QueueReply =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: QueueThreadError };

/** The id of the reply that tells whether the file opened. */
const OPENED = 0;

const port = parentPort;
if (!port) throw new Error('This file runs in a worker thread');

let database: QueueDatabase | undefined;
answer(OPENED, () => {
  database = new QueueDatabase(workerData as QueueDatabaseOptions);
});

port.on('message', ({ id, call, args }: QueueRequest) => {
  answer(id, () => (database as unknown as Record<string, (...args: readonly unknown[]) => unknown>)[call]?.(...args));
});

function answer(id: number, work: () => unknown): void {
  try {
    port?.postMessage({ id, value: work() } satisfies QueueReply);
  } catch (error) {
    const { message, errcode = 0 } = error as Error & { errcode?: number };
    port?.postMessage({ id, error: { message, errcode } } satisfies QueueReply);
  }
}
