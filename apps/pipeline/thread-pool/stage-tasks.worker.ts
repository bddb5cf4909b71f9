import { workerData } from 'node:worker_threads';

import { trigramsOfParts } from '#search-index/pack/trigrams/trigrams-of-parts';

import { CurrentDocument } from './document-watch.js';
import { serveTasks } from './serve-tasks.js';
import type { StageWorkerData } from './stage-tasks.js';
import { analyzeTask } from './tasks/analyze.task.js';
import { chunkTask } from './tasks/chunk.task.js';
import { packTask } from './tasks/pack.task.js';
import { parseTask } from './tasks/parse.task.js';
import { prepareTask } from './tasks/prepare.task.js';

// The tasks import single files of other libraries. They load the chunker of code and the parser of
// HTML with the first document that needs them. A thread starts several times as fast.
const { grammarsDirectory, current: shared } = workerData as StageWorkerData;
const current = new CurrentDocument(shared);

const openChunker = async () =>
  (await import('#ingest/chunk/chunker')).createChunker({ grammarsDirectory });

serveTasks({
  parse: (input) => parseTask(input, { current }),
  chunk: (input) => chunkTask(input, { openChunker, current }),
  analyze: analyzeTask,
  prepare: (input) => prepareTask(input, { openChunker, current }),
  pack: packTask,
  trigrams: ({ parts }) => trigramsOfParts(parts),
});
