import { createHash, randomUUID } from 'node:crypto';

import {
  type Audience,
  type ChunkDefinition,
  type ChunkMember,
  type Manifest,
  type SourceChunk,
  type SourceDefinition,
  statedAudience,
  TENANT_AUDIENCE,
} from '#contracts';
import { type BlobStore, uuidv5, uuidv7 } from '#platform';
import { ANALYZER_ID, type LocalModel, WORD_HASHING } from '#retrieval';
import { analyzeChunks, buildPack } from '#search-index';

import type { ApiHarness } from './api-harness.js';

/** A document of a published source; by default its content is one chunk that begins at line 1. */
export interface PublishedDocument {
  readonly path: string;
  readonly content: string;
  readonly symbol?: string;
  readonly defs?: readonly string[];
  readonly definitions?: readonly ChunkDefinition[];
  readonly members?: readonly ChunkMember[];
  readonly startLine?: number;
  readonly language?: string;
  /** Default: code, or of an endpoint what that is. */
  readonly chunkType?: 'docs';
  readonly ordinal?: number;
  /** Default: a quarter of the characters. */
  readonly tokenCount?: number;
  readonly endpointKey?: string;
  readonly schemaHash?: string;
  /** Makes it a chunk without lines. */
  readonly fragment?: string;
  /** White space before and after the chunk. Default: not recorded. */
  readonly before?: string;
  readonly after?: string;
}

export interface PublishOptions {
  readonly tenant: string;
  readonly name?: string;
  readonly definition?: Partial<SourceDefinition>;
  /** When the sync ended. */
  readonly syncedAt?: Date;
  readonly generation?: number;
  /** Default: `commit-` and the generation. */
  readonly versionRef?: string;
  readonly sourceId?: string;
  /** Embeds the content. Default: word hashing. */
  readonly model?: LocalModel;
  /** Default: the tenant. */
  readonly audience?: Audience;
  /** Files that the sync left out, with their reasons. */
  readonly leftOut?: Readonly<Record<string, string>>;
  /** That the content takes. Default: not measured. */
  readonly bytes?: number;
}

/**
 * Registers a source and publishes documents as its live generation, as the pipeline's events
 * would.
 */
export async function publish(
  api: ApiHarness,
  documents: readonly PublishedDocument[],
  options: PublishOptions,
): Promise<string> {
  const { tenant, name = 'Flask', generation = 1, model = WORD_HASHING } = options;
  const audience = statedAudience(options.audience ?? TENANT_AUDIENCE);
  const source_id = options.sourceId ?? uuidv7();
  const job_id = uuidv7();
  const version_ref = options.versionRef ?? `commit-${generation}`;
  const definition: SourceDefinition = {
    source_type: 'repo',
    url: 'https://example.com/x.git',
    branch: 'main',
    include_patterns: [],
    exclude_patterns: [],
    ...options.definition,
  };
  const chunks = documents.map((document) => placed(tenant, source_id, document));
  const manifest = await writeGeneration(api.blobs, {
    tenant,
    source_id,
    generation,
    version_ref,
    chunks,
    model,
    leftOut: options.leftOut ?? {},
  });
  if (options.sourceId === undefined) {
    await api.append(tenant, `source-${source_id}`, {
      type: 'SourceRegistered',
      data: { source_id, name, definition, ...audience },
    });
  }
  await api.append(tenant, `source-${source_id}`, {
    type: 'SourceSyncRequested',
    data: { source_id, job_id },
  });
  await api.append(tenant, `job-${job_id}`, {
    type: 'JobRequested',
    data: {
      job_id,
      source_id,
      url: definition.url,
      source_revision: 0,
      generation,
      base: null,
      max_retries: 3,
      ...audience,
    },
  });
  const { bytes } = options;
  const counts = {
    file_count: documents.length,
    chunk_count: chunks.length,
    ...(bytes !== undefined && { bytes }),
  };
  const counters = {
    files_processed: documents.length,
    chunks_created: chunks.length,
    chunks_updated: 0,
    chunks_deleted: 0,
  };
  const staged = { job_id, source_id, generation, manifest, version_ref, ...counts };
  await api.append(tenant, `job-${job_id}`, {
    type: 'JobStaged',
    data: { ...staged, attempt: 1, stage_details: {} },
  });
  await api.loaded({ tenantId: tenant, sourceId: source_id, generation });
  await api.appendAt(options.syncedAt ?? new Date(), tenant, `job-${job_id}`, {
    type: 'JobCompleted',
    data: { ...staged, url: definition.url, ...counters },
  });
  return source_id;
}

/**
 * Writes the pack and the manifest that the index stage would leave. @returns the manifest's hash.
 */
async function writeGeneration(
  blobs: BlobStore,
  of: Pick<Manifest, 'source_id' | 'generation' | 'version_ref'> & {
    readonly tenant: string;
    readonly chunks: readonly SourceChunk[];
    readonly model: LocalModel;
    readonly leftOut: Readonly<Record<string, string>>;
  },
): Promise<string> {
  const { tenant: tenant_id, source_id, generation, version_ref, chunks, model, leftOut } = of;
  const about = {
    tenant_id,
    source_id,
    analyzer: ANALYZER_ID,
    embedder: { id: model.id, dimensions: model.dimensions },
  };
  const pack = buildPack([analyzeChunks(chunks, model)], about);
  const manifest: Manifest = {
    ...about,
    format: 1,
    generation,
    version_ref,
    recipe: 'published',
    documents: [
      ...pack.documents.map((document) => ({
        ...document,
        pack: 0,
        version: versionOf(chunks, document.path),
      })),
      ...Object.entries(leftOut).map(([path, skipped]) => ({
        path,
        version: 'unread',
        chunks: 0,
        skipped,
      })),
    ],
    file_count: pack.documents.length,
    chunk_count: pack.chunkCount,
    packs: [{ hash: await blobs.put(pack.bytes), chunks: pack.chunkCount, dropped_count: 0 }],
  };
  return blobs.put(Buffer.from(JSON.stringify(manifest)));
}

/** A version that changes with the content of a document. */
function versionOf(chunks: readonly SourceChunk[], path: string): string {
  const own = chunks.filter((chunk) => chunk.path === path);
  return own.map(({ content_hash }) => content_hash).join('-');
}

function placed(tenant: string, sourceId: string, document: PublishedDocument): SourceChunk {
  const { path, content, ordinal = 0, startLine = 1 } = document;
  const openapi = document.endpointKey !== undefined;
  const hash = createHash('sha256').update(content).digest('hex');
  return {
    chunk_id: uuidv5(tenant, sourceId, path, String(ordinal), hash),
    path,
    ordinal,
    content,
    content_hash: hash,
    token_count: document.tokenCount ?? Math.ceil(content.length / 4),
    ...(openapi || document.fragment !== undefined
      ? {}
      : { start_line: startLine, end_line: startLine + content.split('\n').length - 1 }),
    ...(document.symbol === undefined ? {} : { symbol: document.symbol }),
    ...(document.fragment === undefined ? {} : { fragment: document.fragment }),
    defs: document.defs ?? [],
    ...(document.definitions === undefined ? {} : { definitions: document.definitions }),
    ...(document.members === undefined ? {} : { members: document.members }),
    chunk_type: openapi ? 'openapi' : (document.chunkType ?? 'code'),
    language: document.language ?? (openapi ? 'openapi' : 'python'),
    ...(document.endpointKey === undefined ? {} : { endpoint_key: document.endpointKey }),
    ...(document.before === undefined ? {} : { before: document.before }),
    ...(document.after === undefined ? {} : { after: document.after }),
    ...(document.schemaHash === undefined ? {} : { schema_hash: document.schemaHash }),
  };
}

/** Letters whose runs are pieces of no word, so that no model knows a meaning of theirs. */
const MEANINGLESS = 'qxzjkvw';

/** A word that occurs nowhere else, and is near to nothing. */
export function uniqueWord(): string {
  const letters = Array.from(
    randomUUID().replaceAll('-', ''),
    (digit) => MEANINGLESS[Number.parseInt(digit, 16) % 7],
  );
  return `w${letters.join('')}`;
}
