import { ThreadClient, transferablesOf } from '#platform';

import { CurrentDocument, watchDocument } from './document-watch.js';
import type {
  StageTaskName,
  StageTaskRequest,
  StageTasks,
  StageWorkerData,
} from './stage-tasks.js';

/**
 * Short-lived objects of a thread. V8's own choice grows with the machine's memory, and the threads
 * fill it.
 */
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
  private readonly thread: ThreadClient<StageTaskRequest>;
  private readonly current = new CurrentDocument();

  constructor(private readonly options: PoolThreadOptions) {
    const { grammarsDirectory, thread } = options;
    this.thread = new ThreadClient<StageTaskRequest>({
      entry: thread,
      name: 'stage tasks',
      workerData: { grammarsDirectory, current: this.current.shared } satisfies StageWorkerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MIB },
      maxPending: 1,
    });
  }

  get dead(): boolean {
    return this.thread.isOver;
  }

  /**
   * @throws the task's error, StuckDocumentError, or an error that the thread died or is not free.
   */
  run<Name extends StageTaskName>(
    name: Name,
    input: StageTasks[Name]['input'],
  ): Promise<StageTasks[Name]['output']> {
    const request: StageTaskRequest<Name> = { name, input };
    const answer = this.thread.ask<StageTasks[Name]['output']>(request, {
      transfer: transferablesOf(input),
    });
    const endWatch = watchDocument(
      this.current,
      this.options.documentTimeoutMs,
      (error) => void this.terminate(error),
    );
    return answer.finally(endWatch);
  }

  /** Ends the thread, in the middle of its task if need be. */
  async terminate(reason = new Error('The worker thread was ended')): Promise<void> {
    await this.thread.kill(reason);
  }
}
