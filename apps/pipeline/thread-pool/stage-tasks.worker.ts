import { workerData } from 'node:worker_threads';

import { createChunker } from '#ingest/chunk/chunker';

import { CurrentDocument } from './document-watch.js';
import { serveTasks } from './serve-tasks.js';
import type { StageWorkerData } from './stage-tasks.js';
import { analyzeTask } from './tasks/analyze.task.js';
import { chunkTask } from './tasks/chunk.task.js';
import { packTask } from './tasks/pack.task.js';
import { parseTask } from './tasks/parse.task.js';
import { prepareTask } from './tasks/prepare.task.js';

// The tasks import single files of other rooms: a thread that loads no HTTP client or logger starts
// twice as fast.
const { grammarsDirectory, current: shared } = workerData as StageWorkerData;
const current = new CurrentDocument(shared);

const openChunker = () => createChunker({ grammarsDirectory });

serveTasks({
  parse: (input) => parseTask(input, { current }),
  chunk: (input) => chunkTask(input, { openChunker, current }),
  analyze: analyzeTask,
  prepare: (input) => prepareTask(input, { openChunker, current }),
  pack: packTask,
});
