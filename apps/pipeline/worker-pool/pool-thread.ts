import { Worker } from 'node:worker_threads';

import type { StageTaskName, StageTaskReply, StageTaskRequest, StageTasks, StageWorkerData } from './stage-tasks.js';
import { transferablesOf } from './transferables.js';

interface Waiter {
  resolve(output: StageTasks[StageTaskName]['output']): void;
  reject(error: Error): void;
}

/** Short-lived objects of a thread. V8's own choice grows with the machine's memory, and the threads fill it. */
const YOUNG_GENERATION_MIB = 32;

/** A worker thread that carries out one task at a time. Dead once it has failed as a whole. */
export class PoolThread {
  dead = false;
  private readonly worker: Worker;
  private waiter: Waiter | null = null;
  private lastId = 0;

  constructor(data: StageWorkerData) {
    this.worker = new Worker(new URL('./stage-tasks.worker.js', import.meta.url), {
      workerData: data,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
    });
    this.worker.on('message', (reply: StageTaskReply) => this.settle(reply));
    this.worker.on('error', (error: Error) => this.die(error));
    this.worker.on('exit', () => this.die(new Error('The worker thread ended in the middle of its task')));
  }

  /** @throws the task's error, or one that tells that the thread died. */
  run<Name extends StageTaskName>(name: Name, input: StageTasks[Name]['input']): Promise<StageTasks[Name]['output']> {
    if (this.dead || this.waiter) return Promise.reject(new Error('The worker thread is not free'));
    const id = (this.lastId += 1);
    const answer = new Promise<StageTasks[StageTaskName]['output']>((resolve, reject) => {
      this.waiter = { resolve, reject };
    });
    this.worker.postMessage({ id, name, input } satisfies StageTaskRequest<Name>, transferablesOf(input));
    return answer;
  }

  /** Ends the thread, in the middle of its task if need be. */
  async terminate(): Promise<void> {
    this.die(new Error('The worker thread was ended'));
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
