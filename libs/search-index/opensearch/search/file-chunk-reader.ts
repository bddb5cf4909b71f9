import { TimeSlices } from '#platform';

import type { Candidate, FileChunksQuery, IndexedFile } from '../../search-index.port.js';
import { decodeRanking } from '../ranking-data.js';
import { rowFilter } from '../row-filter.js';
import type { RowReader } from '../row-reader.js';
import type { SourceRecords } from '../source-records.js';
import { queryVectors } from './candidate-search.js';
import { byChunkId } from './exact-cut.js';
import { ChunkCompleter } from './found-chunk.js';

/** Files that are read at a time: each takes requests of its own. */
const FILES_AT_ONCE = 4;
const CHUNKS_A_PAGE = 200;

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
    for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
      const some = files.slice(at, at + FILES_AT_ONCE);
      const read = await Promise.all(some.map((file) => this.chunks(file, limit, completer)));
      candidates.push(...read.flat());
    }
    return candidates.sort(byChunkId);
  }

  private async chunks(
    { source, path }: IndexedFile,
    limit: number,
    completer: ChunkCompleter,
  ): Promise<Candidate[]> {
    const { routing, clause } = rowFilter(source);
    const filter = { routing, clause: { bool: { filter: [clause, { term: { path } }] } } };
    const page = {
      size: Math.min(limit, CHUNKS_A_PAGE),
      _source: false,
      stored_fields: '_none_',
      docvalue_fields: ['ranking'],
    };
    const chunks: Candidate[] = [];
    const slices = new TimeSlices();
    for await (const { fields } of this.rows.hits(filter, page, ['ordinal', 'chunk_id'])) {
      const ranking = Buffer.from(fields?.ranking?.[0] ?? '', 'base64');
      chunks.push(completer.complete(decodeRanking(ranking)).candidate);
      if (chunks.length === limit) break;
      if (slices.isUsedUp) await slices.pause();
    }
    return chunks;
  }
}
