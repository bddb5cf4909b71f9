import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';

import type { Manifest, PlacedChunk } from '#contracts';
import { FileSelector, isSkipped, parseDocument, type Chunker } from '#ingest';
import { ANALYZER_ID, HASH_NGRAM_DIMENSIONS, HASH_NGRAM_ID } from '#retrieval';
import { analyseChunks, buildPack, type LiveSource, type SearchIndex } from '#search-index';

import type { LabelledRepository } from './labels.js';

const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_BUFFER = 1 << 30;
const TENANT = '00000000-0000-4000-8000-000000000001';

/** Chunks a repository at its labelled revision as a sync would and loads it into the index. */
export async function indexRepository(
  gitFolder: string,
  { name, revision, root }: LabelledRepository,
  chunker: Chunker,
  index: SearchIndex,
): Promise<LiveSource & { readonly chunks: number }> {
  const chunks = chunksOf(gitFolder, revision, root, chunker);
  const embedder = { id: HASH_NGRAM_ID, dimensions: HASH_NGRAM_DIMENSIONS };
  const about = { tenant_id: TENANT, source_id: name, analyzer: ANALYZER_ID, embedder };
  const pack = buildPack([analyseChunks(chunks, HASH_NGRAM_ID)], about);
  const hash = createHash('sha256').update(pack.bytes).digest('hex');
  const manifest: Manifest = {
    ...about,
    format: 1,
    generation: 1,
    version_ref: revision,
    recipe: 'quality',
    documents: [],
    packs: [{ hash, chunks: pack.chunkCount, dropped_count: 0 }],
    file_count: pack.documents.length,
    chunk_count: pack.chunkCount,
  };
  await index.applyGeneration(manifest, () => Promise.resolve(pack.bytes));
  return { tenantId: TENANT, sourceId: name, generation: 1, chunks: pack.chunkCount };
}

function chunksOf(gitFolder: string, revision: string, root: string | undefined, chunker: Chunker): PlacedChunk[] {
  const files = listFiles(gitFolder, revision, root);
  const selector = new FileSelector({
    include: [],
    exclude: [],
    maxFileBytes: MAX_FILE_BYTES,
    paths: files.map(({ path }) => path),
  });
  const chosen = files.filter((file) => selector.decide(file) === 'read');
  const blobs = readBlobs(
    gitFolder,
    chosen.map(({ oid }) => oid),
  );
  return chosen.flatMap(({ path, oid }, at) => {
    const document = parseDocument({ path, version: oid, bytes: blobs[at] as Uint8Array });
    // The labels are about code, and the figures published beside them are of code files alone.
    if (isSkipped(document) || document.kind !== 'code') return [];
    return chunker
      .chunk(document)
      .map((chunk): PlacedChunk => ({ ...chunk, path, chunk_id: idOf(path, chunk.ordinal) }));
  });
}

function listFiles(gitFolder: string, revision: string, root: string | undefined) {
  const where = root === undefined ? [] : ['--', `${root}/`];
  const listing = execFileSync('git', ['-C', gitFolder, 'ls-tree', '-r', '-l', '-z', revision, ...where], {
    maxBuffer: MAX_BUFFER,
    encoding: 'utf8',
  });
  return listing.split('\0').flatMap((line) => {
    const match = /^100\d+ blob (\w+) +(\d+)\t(.*)$/s.exec(line);
    return match ? [{ oid: match[1] as string, size: Number(match[2]), path: match[3] as string }] : [];
  });
}

function readBlobs(gitFolder: string, oids: readonly string[]): Uint8Array[] {
  const { stdout, status } = spawnSync('git', ['-C', gitFolder, 'cat-file', '--batch'], {
    input: oids.map((oid) => `${oid}\n`).join(''),
    maxBuffer: MAX_BUFFER,
  });
  if (status !== 0) throw new Error(`git cannot read ${gitFolder}`);
  let at = 0;
  return oids.map((oid) => {
    const headerEnd = stdout.indexOf('\n', at);
    const size = Number(/^\w+ blob (\d+)$/.exec(stdout.toString('utf8', at, headerEnd))?.[1]);
    if (!Number.isInteger(size)) throw new Error(`git has no blob ${oid} in ${gitFolder}`);
    at = headerEnd + 1 + size + 1;
    return stdout.subarray(headerEnd + 1, headerEnd + 1 + size);
  });
}

function idOf(path: string, ordinal: number): string {
  const hex = createHash('sha256').update(`${path}\n${ordinal}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
