import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createChunker, type Chunker } from '#ingest';
import { analyseQuery, type LocalModel } from '#retrieval';
import { openSegmentIndex, type LiveSource, type SearchIndex } from '#search-index';

import type { Found } from './ablation.js';

const CANDIDATES_PER_LEG = 200;

/** Runs something with a chunker and an index of its own, in a scratch folder that is removed. */
export async function withIndex<T>(use: (chunker: Chunker, index: SearchIndex) => Promise<T>): Promise<T> {
  const scratch = mkdtempSync(join(tmpdir(), 'footnote-quality-'));
  const index = await openSegmentIndex({ directory: scratch });
  const chunker = await createChunker({
    grammarsDirectory: fileURLToPath(new URL('../../../grammars', import.meta.url)),
  });
  try {
    return await use(chunker, index);
  } finally {
    chunker.close();
    await index.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** What the index finds for a query, as a search asks it. */
export async function find(index: SearchIndex, live: LiveSource, model: LocalModel, text: string): Promise<Found> {
  const query = analyseQuery(text);
  const { candidates, statistics } = await index.candidates({
    tenants: [live.tenantId],
    scope: [live],
    corpus: [live],
    terms: query.terms,
    vectorFor: async () => model.embed(query.terms, query.frequencies),
    identifiers: query.identifiers,
    limit: CANDIDATES_PER_LEG,
  });
  return { query, candidates, statistics, profile: model.profile };
}
