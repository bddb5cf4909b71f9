import { randomUUID } from 'node:crypto';

import { isFootnoteError, type Manifest } from '#contracts';
import { type BoundToLog, type LogBinding, type Logger, tlsFailure } from '#platform';

import { rankCandidates } from '../rank-candidates.js';
import type { RankedCandidates, RankingQuery } from '../ranking.types.js';
import type {
  Candidate,
  CandidateQuery,
  Candidates,
  DocumentRange,
  ExcludedDocuments,
  FileChunksQuery,
  IndexBeside,
  IndexedChunk,
  IndexedDocument,
  IndexedOutline,
  IndexedSymbol,
  LiveSource,
  SearchIndex,
  SymbolQuery,
} from '../search-index.port.js';
import { filesWithinTenants, symbolsWithinTenants, withinTenants } from '../tenant-wall.js';
import { ChunkReader } from './chunk-reader.js';
import { DocumentList } from './document-list.js';
import { DocumentReader } from './document-reader.js';
import { indexBinding } from './index-binding.js';
import { buildPrefix, IndexLayout } from './index-layout.js';
import { KeptDocuments } from './kept-documents.js';
import { rowFilter } from './row-filter.js';
import { RowReader } from './row-reader.js';
import { AcceptedFiles } from './search/accepted-files.js';
import { CandidateSearch } from './search/candidate-search.js';
import { DocumentFrequencies } from './search/document-frequencies.js';
import { DocumentPaths } from './search/document-paths.js';
import { FileChunkReader } from './search/file-chunk-reader.js';
import { RankingRows } from './search/ranking-rows.js';
import { SymbolReader } from './search/symbol-reader.js';
import { isRefusedLogin, RefusedRequestError, SearchServer } from './server.js';
import { SourceRecords } from './source-records.js';
import { BULK_DEFAULTS, type BulkOptions } from './write/bulk-writer.js';
import { GenerationWriter, type ReadBlob } from './write/generation-writer.js';
import { SourceChanges } from './write/source-changes.js';
import { Sweeper, type SweeperDependencies } from './write/sweeper.js';

export interface OpenSearchIndexOptions {
  /** URL of a server with the k-NN plugin; may contain credentials. */
  readonly url: string;
  readonly logger: Logger;
  /** Prefix of the index names. Default `footnote`. */
  readonly indexPrefix?: string;
  /** Shards of a new index; a tenant's rows share one. Default 1. */
  readonly shards?: number;
  /** Replicas of a new index. Default 0. */
  readonly replicas?: number;
  /** Timeout of one request, in milliseconds. Default 10,000. */
  readonly requestTimeoutMs?: number;
  readonly bulk?: Partial<BulkOptions>;
  /** Time from a drop until its rows are deleted, in milliseconds. Default 60,000. */
  readonly sweepDelayMs?: number;
  /**
   * Time for which a search trusts what it read about loaded generations, in milliseconds. Default
   * 1,000.
   */
  readonly recordsKeptMs?: number;
  /** Ranking data of rows kept in memory for further searches, in bytes. Default 96 MiB. */
  readonly rankingsKeptBytes?: number;
  /** Documents kept in memory for further code searches, in bytes. Default 64 MiB. */
  readonly documentsKeptBytes?: number;
  /** Awaited before the first change, again until it resolves; its error prevents the change. */
  readonly beforeChange?: () => Promise<unknown>;
}

const RANKINGS_KEPT_BYTES = 96 * 1024 * 1024;
const DOCUMENTS_KEPT_BYTES = 64 * 1024 * 1024;
/** A build that nobody saw for this time is no longer being filled. */
const ABANDONED_BUILD_MS = 24 * 60 * 60 * 1_000;

/**
 * Opens the index in OpenSearch. Any number of processes may open it, and one at a time changes a
 * source. Missing indices are created. An unavailable server is no error here: each call reports
 * it, and the next one may succeed.
 *
 * @throws Error if the server cannot contain the index (for example without the k-NN plugin),
 * rejects the credentials, or has an untrusted certificate.
 */
export async function openOpenSearchIndex(
  options: OpenSearchIndexOptions,
): Promise<SearchIndex & BoundToLog> {
  const index = new OpenSearchIndex(options);
  try {
    await index.prepare();
  } catch (error) {
    await index.close();
    throw error;
  }
  return index;
}

class OpenSearchIndex implements SearchIndex, BoundToLog {
  /** This engine stores no vectors of sentences. */
  readonly sentences = null;
  readonly logBinding: LogBinding;
  private readonly server: SearchServer;
  private readonly layout: IndexLayout;
  private readonly records: SourceRecords;
  private readonly rows: RowReader;
  private readonly writer: GenerationWriter;
  private readonly sweeper: Sweeper;
  private readonly search: CandidateSearch;
  private readonly files: FileChunkReader;
  private readonly logger: Logger;
  private readonly chunks: ChunkReader;
  private readonly documentReader: DocumentReader;
  private readonly symbolReader: SymbolReader;
  private readonly changes = new SourceChanges();
  private readonly beforeChange: () => Promise<unknown>;
  private resumed = false;
  private closed: Promise<void> | undefined;

  constructor(
    private readonly options: OpenSearchIndexOptions,
    isBuild = false,
  ) {
    const {
      url,
      logger,
      indexPrefix = 'footnote',
      shards = 1,
      replicas = 0,
      requestTimeoutMs = 10_000,
    } = options;
    const server = (this.server = new SearchServer(url, requestTimeoutMs));
    const layout = (this.layout = new IndexLayout(server, {
      indexPrefix,
      shards,
      replicas,
      isBuild,
    }));
    const records = (this.records = new SourceRecords(
      server,
      layout,
      options.recordsKeptMs ?? 1_000,
    ));
    const bulk = { ...BULK_DEFAULTS, ...options.bulk };
    this.logger = logger;
    this.beforeChange = options.beforeChange ?? (() => Promise.resolve());
    this.logBinding = indexBinding(server, layout);
    this.rows = new RowReader(server, layout);
    this.files = new FileChunkReader(records, this.rows);
    this.chunks = new ChunkReader(records, this.rows);
    this.documentReader = new DocumentReader(
      records,
      this.rows,
      new DocumentList(this.rows, layout),
      new DocumentPaths(server, layout),
      new KeptDocuments(layout, options.documentsKeptBytes ?? DOCUMENTS_KEPT_BYTES),
    );
    this.symbolReader = new SymbolReader(records, this.rows);
    this.writer = new GenerationWriter(server, layout, records, this.rows, bulk, logger);
    const alone: SweeperDependencies['alone'] = (tenantId, sourceId, work) =>
      this.changes.run(tenantId, sourceId, work);
    const onTaken: SweeperDependencies['onTaken'] = (record, before) =>
      this.writer.swept(record, before);
    const delayMs = options.sweepDelayMs ?? 60_000;
    this.sweeper = new Sweeper({ server, layout, records, logger, alone, onTaken, delayMs });
    const frequencies = new DocumentFrequencies(server, layout);
    this.search = new CandidateSearch({
      server,
      layout,
      records,
      frequencies,
      files: new AcceptedFiles(server, layout),
      rankings: new RankingRows(server, layout, options.rankingsKeptBytes ?? RANKINGS_KEPT_BYTES),
    });
  }

  async prepare(): Promise<void> {
    try {
      await this.layout.ensure();
    } catch (error) {
      if (error instanceof RefusedRequestError) throw unfit(error);
      if (!isFootnoteError(error, 'engine_unavailable')) throw error;
      const unusable = isRefusedLogin(error)
        ? new Error('OpenSearch rejects the credentials of its address', { cause: error })
        : tlsFailure('OpenSearch', error);
      if (unusable) throw unusable;
      this.logger.warn(
        { error: error.message },
        'search index: OpenSearch is unreachable; retrying with each request',
      );
    }
  }

  applyGeneration(manifest: Manifest, readBlob: ReadBlob): Promise<number> {
    return this.changes.run(manifest.tenant_id, manifest.source_id, async () => {
      await this.resumeSweeps();
      return this.writer.apply(manifest, readBlob);
    });
  }

  dropGeneration(tenantId: string, sourceId: string, generation: number): Promise<void> {
    return this.changes.run(tenantId, sourceId, async () => {
      await this.resumeSweeps();
      if (await this.writer.drop(tenantId, sourceId, generation))
        this.sweeper.schedule(tenantId, sourceId);
    });
  }

  generations(): Promise<readonly LiveSource[]> {
    return this.records.all();
  }

  async candidates(query: CandidateQuery): Promise<Candidates> {
    return this.search.run(withinTenants(query));
  }

  async ranked(query: CandidateQuery, ranking: RankingQuery): Promise<RankedCandidates> {
    return rankCandidates(await this.candidates(query), ranking);
  }

  async fileChunks(query: FileChunksQuery): Promise<readonly Candidate[]> {
    return this.files.read(filesWithinTenants(query));
  }

  contents(
    source: LiveSource,
    chunkIds: readonly string[],
  ): Promise<readonly (string | undefined)[]> {
    return this.chunks.contents(source, chunkIds);
  }

  document(source: LiveSource, path: string): Promise<readonly IndexedChunk[]> {
    return this.chunks.document(source, path);
  }

  outline(source: LiveSource, path: string): Promise<IndexedOutline> {
    return this.chunks.outline(source, path);
  }

  async symbols(query: SymbolQuery): Promise<readonly IndexedSymbol[]> {
    return this.symbolReader.find(symbolsWithinTenants(query));
  }

  documents(
    source: LiveSource,
    range: DocumentRange = {},
  ): AsyncIterable<IndexedDocument | ExcludedDocuments> {
    return this.documentReader.documents(source, range);
  }

  lacksTrigrams(): boolean {
    return false;
  }

  chunkIds(source: LiveSource): AsyncIterable<string> {
    return this.chunks.chunkIds(source);
  }

  /**
   * Starts a build. Other processes may search and change the index during it. One of them may
   * write at the moment of the switch. The server then rejects the write or the index is missing,
   * and the write is repeated.
   */
  async buildBeside(): Promise<IndexBeside> {
    await this.beforeChange();
    await this.layout.removeBuilds(0);
    const indexPrefix = buildPrefix(this.options.indexPrefix ?? 'footnote', randomUUID());
    const build = new OpenSearchIndex(
      { ...this.options, indexPrefix, beforeChange: () => Promise.resolve() },
      true,
    );
    try {
      await build.layout.ensure();
      const log = await this.logBinding.boundTo();
      if (log) await build.logBinding.bind(log);
    } catch (error) {
      await build.close();
      throw error;
    }
    const discard = async (): Promise<void> => {
      await build.close();
      // The serving index has a public name, even if the answer to the switch was lost.
      await this.layout.removeBuilds(0);
    };
    return {
      applyGeneration: (manifest, readBlob) => build.applyGeneration(manifest, readBlob),
      dropGeneration: (tenantId, sourceId, generation) =>
        build.dropGeneration(tenantId, sourceId, generation),
      generations: () => build.generations(),
      chunkIds: (source) => build.chunkIds(source),
      takeOver: (source) => this.copyInto(build, source),
      show: (isRequired) => this.giveWayTo(build, isRequired),
      discard,
    };
  }

  close(): Promise<void> {
    return (this.closed ??= this.end());
  }

  private async end(): Promise<void> {
    await this.sweeper.close();
    await this.changes.settled();
    await this.server.close();
  }

  private async copyInto(build: OpenSearchIndex, source: LiveSource): Promise<void> {
    const { tenantId, sourceId, generation } = source;
    const { record } = await this.records.hold(tenantId, sourceId);
    const entry = record.generations.find((each) => each.generation === generation);
    if (!entry) return;
    const ids: string[] = [];
    for await (const id of this.rows.ids(rowFilter(source))) ids.push(id);
    if (ids.length !== entry.chunks) return;
    const whole = (some: readonly string[]) => this.rows.whole(some, tenantId);
    await build.changes.run(tenantId, sourceId, () =>
      build.writer.copy(source, entry, { ids, whole }),
    );
  }

  /** Switches indices; nothing in this process changes either one during the switch. */
  private giveWayTo(
    build: OpenSearchIndex,
    isRequired: (source: LiveSource) => boolean,
  ): Promise<boolean> {
    return this.changes.hold(async () => {
      const key = ({ tenantId, sourceId, generation }: LiveSource) =>
        `${tenantId}/${sourceId}/${generation}`;
      const built = new Set((await build.generations()).map(key));
      const serving = await this.generations();
      if (serving.some((source) => isRequired(source) && !built.has(key(source)))) return false;
      await build.close();
      await this.layout.giveWayTo(build.layout);
      this.records.forget();
      await this.sweeper.resume();
      return true;
    });
  }

  /**
   * Resumes sweeps. A process that changes the index deletes what earlier changes left; one that
   * only searches does not.
   */
  private async resumeSweeps(): Promise<void> {
    if (this.resumed) return;
    await this.beforeChange();
    await this.layout.removeBuilds(ABANDONED_BUILD_MS);
    await this.sweeper.resume();
    this.resumed = true;
  }
}

function unfit(cause: RefusedRequestError): Error {
  const message = `OpenSearch cannot contain the search index (${cause.type}); use a server with the k-NN plugin`;
  return new Error(message, { cause });
}
