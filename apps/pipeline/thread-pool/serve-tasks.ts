import { ThreadServer } from '#platform/concurrency/thread-server';
import { transferablesOf } from '#platform/concurrency/transferables';

import type { StageTaskName, StageTaskRequest, StageTasks, StageTaskTable } from './stage-tasks.js';

type AnyTask = (input: StageTasks[StageTaskName]['input']) => unknown;

/** Answers each request with its task's output or error; large outputs are moved. */
export function serveTasks(tasks: StageTaskTable): void {
  new ThreadServer<StageTaskRequest>(transferablesOf).serve(({ name, input }) =>
    (tasks[name] as AnyTask)(input),
  );
}
