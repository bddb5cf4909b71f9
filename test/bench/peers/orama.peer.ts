import { HASH_NGRAM_DIMENSIONS } from '#retrieval';
import { STOP_WORDS } from '#retrieval/analysis/analyze-query';

import { loadPackage, PEER_VERSIONS } from './packages.js';
import {
  namesOf,
  type Peer,
  type PeerBatch,
  type PeerHit,
  type PeerIndex,
  type PeerQuery,
  TOP,
} from './peer.js';

interface OramaDocument {
  readonly id: string;
  readonly source: number;
  readonly content: string;
}

type Database = object;

/** The part of Orama that the peer uses. */
interface OramaModule {
  create(options: object): Database;
  insertMultiple(
    database: Database,
    documents: readonly object[],
    batchSize: number,
  ): Promise<string[]>;
  removeMultiple(database: Database, ids: readonly string[], batchSize: number): Promise<number>;
  search(
    database: Database,
    options: object,
  ): Promise<{ readonly hits: readonly { readonly document: OramaDocument }[] }>;
}

const BATCH = 1_000;
/**
 * Cosine from which its vector leg takes a chunk; of its default, 0.8, hashed vectors of a short
 * query never have any.
 */
const SIMILARITY = 0.2;

export const oramaPeer: Peer = {
  name: 'Orama',
  about: `@orama/orama ${PEER_VERSIONS['@orama/orama']}; hybrid mode (stemmed, names × 3, similarity ≥ ${SIMILARITY}), in memory`,
  persists: false,
  async load() {
    const orama = await loadPackage<OramaModule>('@orama/orama');
    return () => {
      const database = orama.create({
        schema: {
          content: 'string',
          path: 'string',
          names: 'string',
          source: 'number',
          embedding: `vector[${HASH_NGRAM_DIMENSIONS}]`,
        },
        components: {
          tokenizer: { language: 'english', stemming: true, stopWords: [...STOP_WORDS] },
        },
        sort: { enabled: false },
      });
      return Promise.resolve(new OramaIndex(orama, database));
    };
  },
};

class OramaIndex implements PeerIndex {
  private readonly idsOf = new Map<number, string[]>();

  constructor(
    private readonly orama: OramaModule,
    private readonly database: Database,
  ) {}

  async add({ source, chunks, vectors }: PeerBatch): Promise<void> {
    const documents = chunks.map((chunk, at) => ({
      id: chunk.chunk_id,
      content: chunk.content,
      path: chunk.path,
      names: namesOf(chunk),
      source,
      embedding: Array.from(vectors[at] ?? []),
    }));
    const ids = await this.orama.insertMultiple(this.database, documents, BATCH);
    this.idsOf.set(source, [...(this.idsOf.get(source) ?? []), ...ids]);
  }

  finish(): Promise<void> {
    return Promise.resolve();
  }

  async search({ text, vector, source }: PeerQuery): Promise<readonly PeerHit[]> {
    const { hits } = await this.orama.search(this.database, {
      mode: 'hybrid',
      term: text,
      properties: ['content', 'path', 'names'],
      boost: { names: 3 },
      vector: { value: Array.from(vector), property: 'embedding' },
      similarity: SIMILARITY,
      limit: TOP,
      ...(source !== undefined && { where: { source: { eq: source } } }),
    });
    return hits.map(({ document }) => ({
      chunkId: document.id,
      source: document.source,
      content: document.content,
    }));
  }

  async removeSource(source: number): Promise<void> {
    const ids = this.idsOf.get(source) ?? [];
    // It answers after the first batch and goes on behind the caller's back: one batch for all.
    await this.orama.removeMultiple(this.database, ids, ids.length);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
