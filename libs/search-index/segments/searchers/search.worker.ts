import { workerData } from 'node:worker_threads';

import { ThreadServer } from '#platform/concurrency/thread-server';

import type { FoundSlice } from '../scan/found-slice.js';
import { SearchScope } from '../scan/search-scope.js';
import { type SearchedSegment, searchedSegment, type SearchedView } from '../scan/searched-view.js';
import { vectorTools } from '../scan/vector-tools.js';
import { SearchTurns } from './search-turns.js';
import type {
  PostedView,
  SearchQuestion,
  SearchThreadData,
  SearchThreadRequest,
} from './thread-protocol.js';

const { memory, vectorScratch } = workerData as SearchThreadData;
const turns = new SearchTurns(vectorTools(memory, vectorScratch));
const segments = new Map<number, SearchedSegment>();
const views = new Map<number, SearchedView>();

new ThreadServer<SearchThreadRequest>(columnsOf).serve(handle);

function known<T>(things: ReadonlyMap<number, T>, id: number): T {
  const thing = things.get(id);
  if (thing === undefined) throw new Error(`${id} was not posted to this thread`);
  return thing;
}

function handle(request: SearchThreadRequest): Promise<FoundSlice | undefined> | undefined {
  switch (request.kind) {
    case 'add':
      for (const { id, shared } of request.segments) segments.set(id, searchedSegment(shared));
      turns.add(request.segments.map(({ id }) => known(segments, id)));
      for (const view of request.views) views.set(view.id, viewOf(view));
      return undefined;
    case 'remove': {
      const removed = request.segments.map((id) => known(segments, id));
      for (const id of request.views) views.delete(id);
      for (const id of request.segments) segments.delete(id);
      return turns.remove(removed).then(() => undefined);
    }
    case 'ping':
      return Promise.resolve(undefined);
    case 'search':
      return turns.run(scopeOf(request), viewsOf(request.corpus), request.query, request.ranking);
  }
}

function viewsOf(ids: Uint32Array): SearchedView[] {
  return Array.from(ids, (id) => known(views, id));
}

function scopeOf({ scope, parts }: SearchQuestion): readonly SearchedView[] | SearchScope {
  const searched = viewsOf(scope);
  if (!parts) return searched;
  return new SearchScope(
    searched.map((view, at) => {
      const [from, to] = [parts[2 * at] as number, parts[2 * at + 1] as number];
      return { view, from, to };
    }),
  );
}

function viewOf({
  segment,
  embedderId,
  dropped,
  liveChunks,
  liveLength,
}: PostedView): SearchedView {
  return { segment: known(segments, segment), embedderId, dropped, liveChunks, liveLength };
}

/** Returns the columns of an answer, which are transferred to the caller. */
function columnsOf(found: unknown): ArrayBuffer[] {
  if (!found) return [];
  const { views, chunks, cosines, frequencies, scores } = found as FoundSlice;
  const buffers = [views, chunks, cosines, frequencies, scores].map(({ buffer }) => buffer);
  return [...new Set(buffers)] as ArrayBuffer[];
}
