import { workerData } from 'node:worker_threads';

import { CurrentDocument } from './current-document.js';
import { serveTasks } from './serve-tasks.js';
import { analyseTask } from './tasks/analyse.task.js';
import { chunkTask } from './tasks/chunk.task.js';
import { packTask } from './tasks/pack.task.js';
import { parseTask } from './tasks/parse.task.js';
import type { StageWorkerData } from './stage-tasks.js';

// For specs: the stage threads, but for a grammar that never comes back from a file whose text says so.
const { grammarsDirectory, current: shared } = workerData as StageWorkerData;
const current = new CurrentDocument(shared);

serveTasks({
  parse: parseTask,
  chunk: (input) =>
    chunkTask(input, {
      grammarsDirectory,
      current,
      beforeEach: ({ kind, text }) => {
        while (kind === 'code' && text.includes('loop for ever'));
      },
    }),
  analyse: analyseTask,
  pack: packTask,
});
