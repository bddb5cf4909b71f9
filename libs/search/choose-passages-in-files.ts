import { TimeSlices } from '#platform';
import {
  type AnalyzedQuery,
  type CorpusStatistics,
  FilePassages,
  type ModelProfile,
  type RankedChunk,
} from '#retrieval';
import type { Candidate, FileChunksQuery, LiveSource, SearchIndex } from '#search-index';

/** Chunks of one file that are ranked: the first in document order. */
const MOST_CHUNKS = 200;

/** Inputs of the choice besides the ranking. */
export interface PassageSources extends Pick<FileChunksQuery, 'tenants' | 'vectorFor'> {
  readonly query: AnalyzedQuery;
  readonly statistics: CorpusStatistics;
  readonly profileOf: (cosineModel: string | undefined) => ModelProfile;
  readonly liveOf: (sourceId: string) => LiveSource | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns a ranking whose first files show their best passages, among all chunks of each file.
 *
 * @throws as `SearchIndex.candidates` does, and the reason of the signal
 */
export async function choosePassagesInFiles(
  index: SearchIndex,
  ranked: readonly RankedChunk<Candidate>[],
  { tenants, vectorFor, query, statistics, profileOf, liveOf, signal }: PassageSources,
): Promise<readonly RankedChunk<Candidate>[]> {
  const choice = new FilePassages(ranked, { query, statistics, profileOf });
  const { toRead } = choice;
  const languages = languagesOf(toRead);
  const files = toRead.flatMap(({ sourceId, path }) => {
    const source = liveOf(sourceId);
    return source ? [{ source, path }] : [];
  });
  if (files.length === 0) return ranked;
  const { terms } = query;
  const chunks = await index.fileChunks({ tenants, files, terms, vectorFor, limit: MOST_CHUNKS });
  // A filter by language accepts or rejects chunks, and a file may have several languages.
  const passages = choice.select(
    chunks.filter(
      ({ sourceId, path, language }) => languages.get(sourceId)?.get(path) === language,
    ),
  );
  const slices = new TimeSlices();
  for (const [sourceId, some] of Map.groupBy(passages, (passage) => passage.sourceId)) {
    const source = liveOf(sourceId);
    if (!source) continue;
    signal?.throwIfAborted();
    const contents = await index.contents(
      source,
      some.map(({ chunkId }) => chunkId),
    );
    for (const [at, passage] of some.entries()) {
      choice.read(passage, contents[at] ?? '');
      if (slices.isUsedUp) await slices.pause();
    }
  }
  return choice.chosen();
}

/** Returns the language of each file, by source and path. */
function languagesOf(
  files: readonly Candidate[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const languages = new Map<string, Map<string, string>>();
  for (const { sourceId, path, language } of files) {
    const ofSource = languages.get(sourceId);
    if (ofSource) ofSource.set(path, language);
    else languages.set(sourceId, new Map([[path, language]]));
  }
  return languages;
}
