import { basename, dirname, resolve } from 'node:path';

import type { Chunk } from '#contracts';
import type { Chunker, ParsedDocument } from '#ingest';
import { redactDocument } from '#ingest/redact/redact-document';
import { featureHash } from '#retrieval';

import { DistilError } from '../distil-error.js';
import { commitPairs } from './commit-pairs.js';
import { documentPairs } from './document-pairs.js';
import { isLeftOut } from './left-out.js';
import { git, type ListedBlob, readDocuments } from './repository-files.js';
import { PAIR_KINDS, type PairKind, type TextPair } from './text-pair.js';

/** Maximum number of files of one repository; of more, a selection by their paths. */
const MAX_FILES = 4_000;
const SAMPLE_SEED = 15;

export interface Repository {
  readonly name: string;
  readonly folder: string;
  /** Commit id of HEAD. */
  readonly revision: string;
}

/** Receives the content, repository by repository. */
export interface TextSink {
  chunk(chunk: Chunk & { readonly path: string }): void;
  pair(pair: TextPair): void;
}

/** The content of a repository, for the report. */
export interface RepositoryReading {
  readonly documents: number;
  readonly chunks: number;
  readonly pairs: Readonly<Record<PairKind, number>>;
  /** Documents that could not be chunked. */
  readonly failed: number;
  readonly hasHistory: boolean;
}

/**
 * Names the repositories by their folders.
 * @throws DistilError if a folder is not a repository.
 */
export function openRepositories(folders: readonly string[]): Repository[] {
  const paths = [...new Set(folders.map((folder) => resolve(folder)))];
  const named = [
    lastName,
    (path: string) => `${basename(dirname(path))}/${lastName(path)}`,
    (path: string) => path,
  ];
  return paths.map((folder) => {
    const name = named.find(
      (nameOf) => paths.filter((other) => nameOf(other) === nameOf(folder)).length === 1,
    );
    return { name: (name ?? lastName)(folder), folder, revision: headOf(folder) };
  });
}

/**
 * Reads a repository like a sync, and finds its pairs. The same revision results in the same pairs,
 * in the same order.
 */
export function readRepository(
  { folder, revision }: Repository,
  {
    chunker,
    commits,
    sink,
  }: { readonly chunker: Chunker; readonly commits: number; readonly sink: TextSink },
): RepositoryReading {
  const pairs = Object.fromEntries(PAIR_KINDS.map((kind) => [kind, 0])) as Record<PairKind, number>;
  const take = (pair: TextPair): void => {
    pairs[pair.kind] += 1;
    sink.pair(pair);
  };
  const documents = readDocuments(folder, revision, { narrow });
  let chunks = 0;
  let failed = 0;
  for (const found of documents) {
    const redacted = redactDocument(found);
    if ('skipped' in redacted) continue;
    const { document } = redacted;
    const read = cutDocument(document, chunker);
    if (!read) failed += 1;
    for (const chunk of read?.chunks ?? []) {
      chunks += 1;
      sink.chunk({ ...chunk, path: document.path });
    }
    read?.pairs.forEach(take);
  }
  const history = commitPairs(folder, revision, commits);
  history.pairs.forEach(take);
  return { documents: documents.length, chunks, pairs, failed, hasHistory: history.isComplete };
}

/**
 * @returns undefined if the chunker fails: one unusual file does not end the run, and the report
 * counts it.
 */
function cutDocument(document: ParsedDocument, chunker: Chunker) {
  try {
    const chunks = chunker.chunk(document);
    return { chunks, pairs: documentPairs(document, chunks, chunker) };
  } catch {
    return undefined;
  }
}

function narrow(files: readonly ListedBlob[]): readonly ListedBlob[] {
  const kept = files.filter(({ path }) => !isLeftOut(path));
  if (kept.length <= MAX_FILES) return kept;
  const drawn = kept
    .map(({ path }) => ({ path, lot: featureHash(path, SAMPLE_SEED) }))
    .sort((a, b) => a.lot - b.lot || (a.path < b.path ? -1 : 1))
    .slice(0, MAX_FILES);
  const chosen = new Set(drawn.map(({ path }) => path));
  return kept.filter(({ path }) => chosen.has(path));
}

function lastName(path: string): string {
  return basename(path).replace(/(?<=.)\.git$/, '');
}

function headOf(folder: string): string {
  try {
    return git(folder, 'rev-parse', '--verify', '--end-of-options', 'HEAD^{commit}').trim();
  } catch (error) {
    throw new DistilError(
      `${folder} is not a git repository with a commit: ${(error as Error).message}`,
    );
  }
}
