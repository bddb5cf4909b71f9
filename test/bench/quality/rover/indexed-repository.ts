import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { readDocuments } from '#distil';
import type { Chunker } from '#ingest';
import type { LocalModel } from '#retrieval';
import { analyzeChunks, type SearchIndex } from '#search-index';

import { chunkSet, type IndexedSource, loadPack, type PackedSet, packOf } from '../index-set.js';
import { packRecipe } from '../pack-recipe.js';
import type { PinnedRepository } from './cross-repository-set.js';

/** An indexed repository at a commit. */
export interface IndexedRepository extends PinnedRepository {
  readonly live: IndexedSource;
  /** Paths of its indexed documents. */
  readonly paths: readonly string[];
}

export interface IndexingOptions {
  /** Folder of git repositories as `<owner>/<name>`. */
  readonly repos: string;
  /** Folder that keeps packs between runs. */
  readonly packs: string;
  readonly chunker: Chunker;
  readonly index: SearchIndex;
  readonly model: LocalModel;
}

/**
 * Indexes a repository at its commit. The pack of an earlier run is used instead if it was made in
 * the same way.
 */
export async function indexRepository(
  pinned: PinnedRepository,
  options: IndexingOptions,
): Promise<IndexedRepository> {
  const { repo, commit } = pinned;
  const { repos, packs, chunker, index, model } = options;
  const name = `${repo.replace('/', '+')}@${commit}-${model.id}-${packRecipe(chunker, model)}`;
  const stored = join(packs, name.replace(/[^\w.+@-]/g, '_'));
  if (!existsSync(`${stored}.json`)) {
    const documents = readDocuments(join(repos, repo), commit);
    const part = analyzeChunks(chunkSet({ documents: () => documents }, chunker), model);
    const packed = packOf({ name: repo, revision: commit }, part, model);
    mkdirSync(packs, { recursive: true });
    writeFileSync(`${stored}.pack`, packed.bytes);
    const paths = documents.map(({ path }) => path);
    writeFileSync(`${stored}.json`, JSON.stringify({ manifest: packed.manifest, paths }));
  }
  const { manifest, paths } = JSON.parse(readFileSync(`${stored}.json`, 'utf8')) as Pick<
    PackedSet,
    'manifest'
  > & { readonly paths: readonly string[] };
  const live = await loadPack({ manifest, bytes: readFileSync(`${stored}.pack`) }, index);
  return { ...pinned, live, paths };
}
