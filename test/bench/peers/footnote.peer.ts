import { createHash } from 'node:crypto';

import type { Manifest } from '#contracts';
import {
  analyzeQuery,
  ANALYZER_ID,
  HASH_NGRAM_DIMENSIONS,
  HASH_NGRAM_ID,
  modelProfile,
  quantize,
} from '#retrieval';
import {
  analyzeChunks,
  buildPack,
  type LiveSource,
  openSegmentIndex,
  type SearchIndex,
  type StorablePart,
  withVectors,
} from '#search-index';

import { rankBy } from '../quality/ablation.js';
import {
  type Peer,
  type PeerBatch,
  type PeerHit,
  type PeerIndex,
  type PeerQuery,
  TOP,
} from './peer.js';

const TENANT = '00000000-0000-4000-8000-000000000001';
const EMBEDDER = { id: HASH_NGRAM_ID, dimensions: HASH_NGRAM_DIMENSIONS };
/** As many as the service takes from each leg. */
const CANDIDATES_PER_LEG = 200;

/**
 * The embedded engine and the ranker, as the service runs them; without the service, its log and
 * its receipts.
 */
export const footnotePeer: Peer = {
  name: 'Footnote',
  about: 'this commit; BM25 and exact int8 vectors, ranked by libs/retrieval',
  persists: true,
  load: () =>
    Promise.resolve(
      async (folder) => new FootnoteIndex(await openSegmentIndex({ directory: folder })),
    ),
};

class FootnoteIndex implements PeerIndex {
  private readonly parts = new Map<number, StorablePart[]>();
  private live: readonly LiveSource[] | undefined;

  constructor(private readonly index: SearchIndex) {}

  async add({ source, chunks, vectors }: PeerBatch): Promise<void> {
    const values = new Int8Array(chunks.length * HASH_NGRAM_DIMENSIONS);
    const scales = new Float32Array(chunks.length);
    vectors.forEach((vector, at) => {
      const { q, scale } = quantize(vector);
      values.set(q, at * HASH_NGRAM_DIMENSIONS);
      scales[at] = scale;
    });
    const part = withVectors(analyzeChunks(chunks, null), {
      embedderId: EMBEDDER.id,
      dimensions: EMBEDDER.dimensions,
      values,
      scales,
    });
    this.parts.set(source, [...(this.parts.get(source) ?? []), part]);
    return Promise.resolve();
  }

  async finish(): Promise<void> {
    for (const [source, parts] of this.parts) {
      const about = {
        tenant_id: TENANT,
        source_id: String(source),
        analyzer: ANALYZER_ID,
        embedder: EMBEDDER,
      };
      const pack = buildPack(parts, about);
      const manifest: Manifest = {
        ...about,
        format: 1,
        generation: 1,
        version_ref: 'HEAD',
        recipe: 'peers',
        documents: [],
        packs: [
          {
            hash: createHash('sha256').update(pack.bytes).digest('hex'),
            chunks: pack.chunkCount,
            dropped_count: 0,
          },
        ],
        file_count: pack.documents.length,
        chunk_count: pack.chunkCount,
      };
      await this.index.applyGeneration(manifest, () => Promise.resolve(pack.bytes));
    }
    this.parts.clear();
  }

  async search({ text, vector, source }: PeerQuery): Promise<readonly PeerHit[]> {
    const query = analyzeQuery(text);
    const corpus = (this.live ??= await this.index.generations());
    const found = await this.index.candidates({
      tenants: [TENANT],
      scope:
        source === undefined
          ? corpus
          : corpus.filter(({ sourceId }) => sourceId === String(source)),
      corpus,
      terms: query.terms,
      vectorFor: () => Promise.resolve(vector),
      identifiers: query.identifiers,
      limit: CANDIDATES_PER_LEG,
    });
    const best = rankBy({ query, profile: modelProfile(EMBEDDER.id), ...found }).slice(0, TOP);
    return Promise.all(
      best.map(async ({ candidate: { chunkId, sourceId, generation } }) => {
        const [content = ''] = await this.index.contents(
          { tenantId: TENANT, sourceId, generation },
          [chunkId],
        );
        return { chunkId, source: Number(sourceId), content };
      }),
    );
  }

  async removeSource(source: number): Promise<void> {
    await this.index.dropGeneration(TENANT, String(source), 1);
    this.live = undefined;
  }

  close(): Promise<void> {
    return this.index.close();
  }
}
