import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Chunker, createChunker } from '#ingest';
import type { SentenceEncoder } from '#models';
import {
  type AnalyzedQuery,
  analyzeQuery,
  type LocalModel,
  type ModelProfile,
  type RankedChunk,
} from '#retrieval';
import { choosePassagesInFiles } from '#search';
import { type Candidate, type LiveSource, openSegmentIndex, type SearchIndex } from '#search-index';

import { type Found, rankBy } from './ablation.js';

const CANDIDATES_PER_LEG = 200;

/**
 * Runs something with a chunker and an index of its own, in a scratch folder that is removed.
 *
 * @param encoder of the sentence vectors that the index stores. Default: none
 */
export async function withIndex<T>(
  use: (chunker: Chunker, index: SearchIndex) => Promise<T>,
  encoder?: Pick<SentenceEncoder, 'id' | 'dimensions'>,
): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), 'footnote-quality-'));
  const sentences = encoder && {
    directory: join(scratch, 'sentences'),
    encoder: encoder.id,
    dimensions: encoder.dimensions,
  };
  const index = await openSegmentIndex({
    directory: join(scratch, 'segments'),
    ...(sentences && { sentences }),
  });
  try {
    return await withChunker((chunker) => use(chunker, index));
  } finally {
    await index.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Runs something with a chunker of its own. */
export async function withChunker<T>(use: (chunker: Chunker) => Promise<T>): Promise<T> {
  const chunker = await createChunker({
    grammarsDirectory: fileURLToPath(new URL('../../../grammars', import.meta.url)),
  });
  try {
    return await use(chunker);
  } finally {
    chunker.close();
  }
}

/** Returns the candidates of the index for a query, as a search requests them. */
export async function find(
  index: SearchIndex,
  live: LiveSource,
  model: LocalModel,
  text: string,
): Promise<Found> {
  return findBy(index, live, {
    profile: model.profile,
    embed: ({ terms, frequencies }) => Promise.resolve(model.embed(terms, frequencies)),
    text,
  });
}

/** Returns the ranking of found candidates with the passages that a search shows. */
export async function withPassages(
  index: SearchIndex,
  live: LiveSource,
  model: LocalModel,
  found: Found,
): Promise<readonly RankedChunk<Candidate>[]> {
  const { query, statistics, profile } = found;
  return choosePassagesInFiles(index, rankBy(found), {
    query,
    statistics,
    tenants: [live.tenantId],
    vectorFor: () => Promise.resolve(model.embed(query.terms, query.frequencies)),
    profileOf: () => profile,
    liveOf: () => live,
  });
}

/** A query, and the model that the source's vectors are of. */
export interface FoundBy {
  readonly text: string;
  readonly profile: ModelProfile;
  readonly embed: (query: AnalyzedQuery) => Promise<Float32Array>;
}

/** Returns the candidates of the index for a query with a vector from anywhere. */
export async function findBy(
  index: SearchIndex,
  live: LiveSource,
  { text, profile, embed }: FoundBy,
): Promise<Found> {
  const query = analyzeQuery(text);
  const { candidates, statistics, searched } = await index.candidates({
    tenants: [live.tenantId],
    scope: [live],
    corpus: [live],
    terms: query.terms,
    vectorFor: () => embed(query),
    identifiers: query.identifiers,
    limit: CANDIDATES_PER_LEG,
  });
  return { query, candidates, statistics, searched, profile };
}
