import type { Candidates } from '../../search-index.port.js';
import type { SearchedView } from './searched-view.js';
import type { QueryTerms } from './query-terms.js';

/** N, average length and document frequencies over the live chunks of a corpus. */
export function corpusStatistics(
  corpus: readonly SearchedView[],
  terms: readonly string[],
  lookup: QueryTerms,
): Candidates['statistics'] {
  let chunks = 0;
  let length = 0;
  const documentFrequencies = terms.map(() => 0);
  for (const view of corpus) {
    chunks += view.liveChunks;
    length += view.liveLength;
    lookup.frequenciesIn(view).forEach((count, i) => {
      documentFrequencies[i] = (documentFrequencies[i] as number) + count;
    });
  }
  return { chunks, averageLength: chunks === 0 ? 0 : length / chunks, documentFrequencies };
}
