import { workerData } from 'node:worker_threads';

import { CurrentDocument } from '#apps/pipeline/thread-pool/document-watch';
import { serveTasks } from '#apps/pipeline/thread-pool/serve-tasks';
import type { StageWorkerData } from '#apps/pipeline/thread-pool/stage-tasks';
import { analyzeTask } from '#apps/pipeline/thread-pool/tasks/analyze.task';
import { chunkTask } from '#apps/pipeline/thread-pool/tasks/chunk.task';
import { packTask } from '#apps/pipeline/thread-pool/tasks/pack.task';
import { parseTask } from '#apps/pipeline/thread-pool/tasks/parse.task';
import { prepareTask } from '#apps/pipeline/thread-pool/tasks/prepare.task';
import { type Chunker, createChunker } from '#ingest/chunk/chunker';
import { trigramsOfParts } from '#search-index/pack/trigrams/trigrams-of-parts';

// The stage threads, but for a grammar that never comes back from a file whose text says so.
const { grammarsDirectory, current: shared } = workerData as StageWorkerData;
const current = new CurrentDocument(shared);

serveTasks({
  parse: (input) => parseTask(input, { current }),
  chunk: (input) => chunkTask(input, { openChunker, current }),
  analyze: analyzeTask,
  prepare: (input) => prepareTask(input, { openChunker, current }),
  pack: packTask,
  trigrams: ({ parts }) => trigramsOfParts(parts),
});

async function openChunker(): Promise<Chunker> {
  const chunker = await createChunker({ grammarsDirectory });
  return {
    get parseTimeouts() {
      return chunker.parseTimeouts;
    },
    chunk(document) {
      while (document.kind === 'code' && document.text.includes('loop for ever'));
      return chunker.chunk(document);
    },
    close: () => chunker.close(),
  };
}
