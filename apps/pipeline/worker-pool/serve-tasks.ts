import type { MessagePort } from 'node:worker_threads';

import type { StageTaskName, StageTaskReply, StageTaskRequest, StageTasks } from './stage-tasks.js';
import { transferablesOf } from '#platform/concurrency/transferables';

type Run<Name extends StageTaskName> = (
  input: StageTasks[Name]['input'],
) => StageTasks[Name]['output'] | Promise<StageTasks[Name]['output']>;

export type TaskTable = { readonly [Name in StageTaskName]: Run<Name> };

/** Answers each request on the port with its task's output or error. */
export function serveTasks(port: MessagePort, tasks: TaskTable): void {
  const answer = async ({ id, name, input }: StageTaskRequest): Promise<void> => {
    try {
      const output = await (tasks[name] as Run<StageTaskName>)(input);
      port.postMessage({ id, output } satisfies StageTaskReply, transferablesOf(output));
    } catch (error) {
      const { name: kind, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
      port.postMessage({ id, error: { name: kind, message, stack } } satisfies StageTaskReply);
    }
  };
  port.on('message', (request: StageTaskRequest) => void answer(request));
}
