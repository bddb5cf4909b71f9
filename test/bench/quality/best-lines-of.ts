import { bestLines, type RankedChunk } from '#retrieval';
import type { Candidate, LiveSource, SearchIndex } from '#search-index';

import type { RankedPlace } from './metric.js';

/** Results of an answer. */
const RESULTS = 10;

/**
 * Returns the places of the first results, each narrowed to the lines that `best_lines` names; the
 * cited lines where it names none.
 */
export async function placesByBestLines(
  index: SearchIndex,
  live: LiveSource,
  question: string,
  ranked: readonly RankedChunk<Candidate>[],
): Promise<readonly RankedPlace[]> {
  const first = ranked.slice(0, RESULTS).map(({ candidate }) => candidate);
  const contents = await index.contents(
    live,
    first.map(({ chunkId }) => chunkId),
  );
  const lines = bestLines(
    question,
    first.map(({ startLine, endLine }, at) =>
      startLine === undefined || endLine === undefined
        ? undefined
        : { content: contents[at] ?? '', startLine, endLine },
    ),
  );
  return first.map(({ path, startLine, endLine }, at) => ({
    path,
    startLine,
    endLine,
    ...lines[at],
  }));
}
