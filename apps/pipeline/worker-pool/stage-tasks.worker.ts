import { parentPort, workerData } from 'node:worker_threads';

import { analyseTask } from './tasks/analyse.task.js';
import { chunkTask } from './tasks/chunk.task.js';
import { packTask } from './tasks/pack.task.js';
import { parseTask } from './tasks/parse.task.js';
import type { StageTaskName, StageTaskReply, StageTaskRequest, StageTasks, StageWorkerData } from './stage-tasks.js';
import { transferablesOf } from './transferables.js';

// The tasks import single files of other rooms: a thread that loads no HTTP client or logger starts twice as fast.
type Run<Name extends StageTaskName> = (
  input: StageTasks[Name]['input'],
) => StageTasks[Name]['output'] | Promise<StageTasks[Name]['output']>;

const port = parentPort;
if (!port) throw new Error('This file runs in a worker thread');
const { grammarsDirectory } = workerData as StageWorkerData;

const tasks: { readonly [Name in StageTaskName]: Run<Name> } = {
  parse: parseTask,
  chunk: (input) => chunkTask(input, grammarsDirectory),
  analyse: analyseTask,
  pack: packTask,
};

port.on('message', (request: StageTaskRequest) => void answer(request));

async function answer({ id, name, input }: StageTaskRequest): Promise<void> {
  try {
    const output = await (tasks[name] as Run<StageTaskName>)(input);
    port?.postMessage({ id, output } satisfies StageTaskReply, transferablesOf(output));
  } catch (error) {
    const { name: kind, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    port?.postMessage({ id, error: { name: kind, message, stack } } satisfies StageTaskReply);
  }
}
