import { parentPort, workerData } from 'node:worker_threads';

import { createScratch } from '../scan/legs.js';
import { searchPart, type FoundPart, type PartTools } from '../scan/search-part.js';
import { searchedSegment, type SearchedSegment, type SearchedView } from '../scan/searched-view.js';
import { VectorLane } from '../scan/vector-lane.js';
import type { PostedView, SearchThreadData, SearchThreadReply, SearchThreadRequest } from './thread-protocol.js';

const { memory, lane } = workerData as SearchThreadData;
const tools: PartTools = { lane: new VectorLane(memory, lane), scratch: createScratch() };
const segments = new Map<number, SearchedSegment>();
const views = new Map<number, SearchedView>();

function known<T>(things: ReadonlyMap<number, T>, id: number): T {
  const thing = things.get(id);
  if (thing === undefined) throw new Error(`${id} was not posted to this thread`);
  return thing;
}

function handle(request: SearchThreadRequest): FoundPart | undefined {
  switch (request.kind) {
    case 'add':
      for (const { id, shared } of request.segments) segments.set(id, searchedSegment(shared));
      for (const view of request.views) views.set(view.id, viewOf(view));
      return undefined;
    case 'remove':
      for (const id of request.views) views.delete(id);
      for (const id of request.segments) segments.delete(id);
      return undefined;
    case 'search':
      return searchPart(
        request.scope.map(([id, from, to]) => ({ view: known(views, id), from, to })),
        request.corpus.map((id) => known(views, id)),
        request.query,
        tools,
      );
  }
}

function viewOf({ segment, embedderId, dropped, liveChunks, liveLength }: PostedView): SearchedView {
  return { segment: known(segments, segment), embedderId, dropped, liveChunks, liveLength };
}

function reply(message: SearchThreadReply, transferred: readonly ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, [...transferred]);
}

parentPort?.on('message', (request: SearchThreadRequest) => {
  try {
    const found = handle(request);
    if (request.kind === 'add') return;
    if (!found) return reply({ request: request.request });
    const columns = [found.views, found.chunks, found.cosines, found.frequencies, found.scores];
    reply(
      { request: request.request, found },
      columns.map(({ buffer }) => buffer as ArrayBuffer),
    );
  } catch (error) {
    // A message that cannot be taken in would leave views missing for good: the thread ends, and a new one gets them all.
    if (request.kind === 'add') throw error;
    reply({ request: request.request, error: error instanceof Error ? error.message : String(error) });
  }
});
