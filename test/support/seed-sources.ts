import { createHash } from 'node:crypto';

import type {
  ChunkType,
  DomainEvent,
  Manifest,
  SourceChunk,
  SourceDefinition,
  StreamName,
} from '#contracts';
import { openEngines } from '#engines';
import type { EventStore } from '#event-store';
import { countO200k } from '#ingest/chunk/tokens';
import { type BlobStore, loadConfig, silentLogger, uuidv5, uuidv7 } from '#platform';
import { ANALYZER_ID, WORD_HASHING } from '#retrieval';
import { analyzeChunks, buildPack } from '#search-index';

import { proposed } from './sample-events.js';

const EMBEDDER = { id: WORD_HASHING.id, dimensions: WORD_HASHING.dimensions };

/** A chunk of a seeded source. Without `startLine` it has no lines, as in HTML, PDF and OpenAPI. */
export interface SeededChunk {
  readonly path: string;
  readonly content: string;
  readonly startLine?: number;
  readonly ordinal?: number;
  readonly language?: string;
  readonly endpointKey?: string;
  readonly schemaHash?: string;
}

export interface SeededSource {
  readonly tenantId: string;
  readonly name: string;
  readonly definition: Pick<SourceDefinition, 'source_type' | 'docs_format'>;
  readonly chunks: readonly SeededChunk[];
  /** When its only sync ended. */
  readonly syncedAt: Date;
}

/**
 * Writes what finished syncs leave, log, packs and manifests, into the engines of a service that is
 * not running. For kinds of sources that nothing fetches yet, chunks made by hand, and syncs of
 * long ago.
 *
 * @returns the sources' ids, in order.
 */
export async function seedSources(
  environment: Readonly<Record<string, string>>,
  sources: readonly SeededSource[],
): Promise<string[]> {
  const engines = await openEngines(loadConfig(environment), silentLogger, ['eventStore', 'blobs']);
  try {
    const ids: string[] = [];
    for (const source of sources)
      ids.push(await seedSource(engines.eventStore, engines.blobs, source));
    return ids;
  } finally {
    await engines.close();
  }
}

async function seedSource(
  store: EventStore,
  blobs: BlobStore,
  source: SeededSource,
): Promise<string> {
  const { tenantId, name, syncedAt } = source;
  const [source_id, job_id] = [uuidv7(), uuidv7()];
  const definition = {
    url: 'https://example.com/x',
    include_patterns: [],
    exclude_patterns: [],
    ...source.definition,
  };
  const {
    hash: manifest,
    chunk_count,
    file_count,
  } = await writeGeneration(blobs, source_id, source);
  const metadata = { tenant_id: tenantId, occurred_at: syncedAt.toISOString() };
  const append = (stream: StreamName, ...events: DomainEvent[]) =>
    store.append(
      stream,
      events.map((event) => proposed(event, metadata)),
      'any',
    );
  const staged = {
    job_id,
    source_id,
    generation: 1,
    manifest,
    version_ref: 'seeded',
    file_count,
    chunk_count,
  };
  const counters = {
    files_processed: file_count,
    chunks_created: chunk_count,
    chunks_updated: 0,
    chunks_deleted: 0,
  };
  await append(
    `source-${source_id}`,
    { type: 'SourceRegistered', data: { source_id, name, definition } },
    { type: 'SourceSyncRequested', data: { source_id, job_id } },
  );
  await append(
    `job-${job_id}`,
    {
      type: 'JobRequested',
      data: {
        job_id,
        source_id,
        url: definition.url,
        source_revision: 0,
        generation: 1,
        base: null,
        max_retries: 3,
      },
    },
    { type: 'JobStaged', data: { ...staged, attempt: 1, stage_details: {} } },
    { type: 'JobCompleted', data: { ...staged, ...counters } },
  );
  return source_id;
}

async function writeGeneration(
  blobs: BlobStore,
  sourceId: string,
  { tenantId, chunks, definition }: SeededSource,
) {
  const type = chunkType(definition);
  const placed = chunks.map((chunk) => placedChunk(tenantId, sourceId, type, chunk));
  const about = {
    tenant_id: tenantId,
    source_id: sourceId,
    analyzer: ANALYZER_ID,
    embedder: EMBEDDER,
  };
  const pack = buildPack([analyzeChunks(placed, WORD_HASHING)], about);
  const counts = { file_count: pack.documents.length, chunk_count: pack.chunkCount };
  const manifest: Manifest = {
    ...about,
    ...counts,
    format: 1,
    generation: 1,
    version_ref: 'seeded',
    recipe: 'seeded',
    documents: [],
    packs: [{ hash: await blobs.put(pack.bytes), chunks: pack.chunkCount, dropped_count: 0 }],
  };
  return { ...counts, hash: await blobs.put(Buffer.from(JSON.stringify(manifest))) };
}

function placedChunk(
  tenantId: string,
  sourceId: string,
  type: ChunkType,
  chunk: SeededChunk,
): SourceChunk {
  const { path, content, startLine, ordinal = 0, endpointKey, schemaHash } = chunk;
  const hash = createHash('sha256').update(content).digest('hex');
  return {
    chunk_id: uuidv5(tenantId, sourceId, path, String(ordinal), hash),
    path,
    ordinal,
    content,
    content_hash: hash,
    token_count: countO200k(content),
    ...(startLine === undefined
      ? {}
      : { start_line: startLine, end_line: startLine + content.split('\n').length - 1 }),
    defs: [],
    chunk_type: type,
    language: chunk.language ?? (type === 'openapi' ? 'openapi' : 'markdown'),
    ...(endpointKey === undefined ? {} : { endpoint_key: endpointKey }),
    ...(schemaHash === undefined ? {} : { schema_hash: schemaHash }),
  };
}

function chunkType({ source_type, docs_format }: SeededSource['definition']): ChunkType {
  if (source_type === 'repo') return 'code';
  return docs_format === 'openapi' ? 'openapi' : 'docs';
}
