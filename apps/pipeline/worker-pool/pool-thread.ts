import { Worker } from 'node:worker_threads';

import { watchDocument } from './document-watch.js';
import { Place } from './place.js';
import type { StageTaskName, StageTaskReply, StageTaskRequest, StageTasks, StageWorkerData } from './stage-tasks.js';
import { transferablesOf } from '#platform/concurrency/transferables';

interface Waiter {
  resolve(output: StageTasks[StageTaskName]['output']): void;
  reject(error: Error): void;
}

/** Short-lived objects of a thread. V8's own choice grows with the machine's memory, and the threads fill it. */
const YOUNG_GENERATION_MIB = 32;

export interface PoolThreadOptions {
  readonly grammarsDirectory: string;
  /** The thread's entry file. */
  readonly thread: URL;
  /** A thread that is at one document longer is ended. */
  readonly documentTimeoutMs: number;
}

/** A worker thread that carries out one task at a time. Dead once it has failed as a whole. */
export class PoolThread {
  dead = false;
  private readonly worker: Worker;
  private waiter: Waiter | null = null;
  private lastId = 0;
  private readonly place = new Place();

  constructor(private readonly options: PoolThreadOptions) {
    const { grammarsDirectory, thread } = options;
    const data: StageWorkerData = { grammarsDirectory, place: this.place.shared };
    this.worker = new Worker(thread, {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    });
    this.worker.on('message', (reply: StageTaskReply) => this.settle(reply));
    this.worker.on('error', (error: Error) => this.die(error));
    this.worker.on('exit', () => this.die(new Error('The worker thread ended in the middle of its task')));
  }

  /** @throws the task's error, StuckDocumentError, or one that tells that the thread died. */
  run<Name extends StageTaskName>(name: Name, input: StageTasks[Name]['input']): Promise<StageTasks[Name]['output']> {
    if (this.dead || this.waiter) return Promise.reject(new Error('The worker thread is not free'));
    const id = (this.lastId += 1);
    const answer = new Promise<StageTasks[StageTaskName]['output']>((resolve, reject) => {
      this.waiter = { resolve, reject };
    });
    this.worker.postMessage({ id, name, input } satisfies StageTaskRequest<Name>, transferablesOf(input));
    const endWatch = watchDocument(this.place, this.options.documentTimeoutMs, (error) => void this.terminate(error));
    return answer.finally(endWatch);
  }

  /** Ends the thread, in the middle of its task if need be. */
  async terminate(reason = new Error('The worker thread was ended')): Promise<void> {
    this.die(reason);
    await this.worker.terminate();
  }

  private settle(reply: StageTaskReply): void {
    if (reply.id !== this.lastId) return;
    const waiter = this.waiter;
    this.waiter = null;
    if ('error' in reply) waiter?.reject(Object.assign(new Error(reply.error.message), reply.error));
    else waiter?.resolve(reply.output);
  }

  private die(error: Error): void {
    this.dead = true;
    this.waiter?.reject(error);
    this.waiter = null;
  }
}
