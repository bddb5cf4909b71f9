import { TimeSlices } from '#platform';

import type { Candidate, FileChunksQuery } from '../../search-index.port.js';
import { decodeRanking } from '../ranking-data.js';
import { rowFilter, slices } from '../row-filter.js';
import { rankingOf, type RowHit, type RowReader } from '../row-reader.js';
import type { SourceRecords } from '../source-records.js';
import { queryVectors } from './candidate-search.js';
import { byChunkId } from './exact-cut.js';
import { ChunkCompleter } from './found-chunk.js';

/** Files whose first pages one request reads: as many as a search shows passages of. */
const FILES_A_REQUEST = 5;
const CHUNKS_A_PAGE = 200;
const ORDER = ['ordinal', 'chunk_id'];

/** Reads the chunks of files with the values of a query. */
export class FileChunkReader {
  constructor(
    private readonly records: SourceRecords,
    private readonly rows: RowReader,
  ) {}

  async read({ files, terms, limit, vectorFor }: FileChunksQuery): Promise<readonly Candidate[]> {
    const sources = files.map(({ source }) => source);
    const entries = await this.records.loaded(sources);
    const vectors = await queryVectors(entries, vectorFor);
    const byId = new Map(
      sources.map((source) => [`${source.tenantId}/${source.sourceId}`, source]),
    );
    const completer = new ChunkCompleter({
      terms,
      // No row is cut by its score here, so that the statistics of the corpus are not needed.
      statistics: { chunks: 0, averageLength: 0, documentFrequencies: terms.map(() => 0) },
      vectors,
      sourceOf: (tenantId, sourceId) => byId.get(`${tenantId}/${sourceId}`),
    });
    const candidates: Candidate[] = [];
    for (const some of slices(files, FILES_A_REQUEST)) {
      const filters = some.map(({ source, path }) => rowFilter(source, { term: { path } }));
      const page = pageOf(limit);
      const pages = await this.rows.firstPages<unknown>(filters, page, ORDER);
      for (const [at, filter] of filters.entries()) {
        const hits = this.rows.hits(filter, page, ORDER, pages[at]);
        candidates.push(...(await completed(hits, limit, completer)));
      }
    }
    return candidates.sort(byChunkId);
  }
}

function pageOf(limit: number) {
  return {
    size: Math.min(limit, CHUNKS_A_PAGE),
    _source: false,
    stored_fields: '_none_',
    docvalue_fields: ['ranking'],
  };
}

/** Returns the first rows of a file with the values of a query. */
async function completed(
  hits: AsyncIterable<RowHit>,
  limit: number,
  completer: ChunkCompleter,
): Promise<Candidate[]> {
  const chunks: Candidate[] = [];
  const time = new TimeSlices();
  for await (const hit of hits) {
    chunks.push(completer.complete(decodeRanking(rankingOf(hit))).candidate);
    if (chunks.length === limit) break;
    if (time.isUsedUp) await time.pause();
  }
  return chunks;
}
