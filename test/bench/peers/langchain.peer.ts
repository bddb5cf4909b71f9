import { loadPackage, PEER_VERSIONS } from './packages.js';
import {
  type Peer,
  type PeerBatch,
  type PeerHit,
  type PeerIndex,
  type PeerQuery,
  TOP,
} from './peer.js';

interface Metadata {
  readonly chunkId: string;
  readonly source: number;
}

interface Document {
  readonly pageContent: string;
  readonly metadata: Metadata;
}

/** The part of LangChain's store that the peer uses. */
interface MemoryVectorStore {
  memoryVectors: { readonly metadata: Metadata }[];
  addVectors(vectors: number[][], documents: Document[]): Promise<void>;
  similaritySearchVectorWithScore(
    query: number[],
    limit: number,
    filter?: (document: Document) => boolean,
  ): Promise<[Document, number][]>;
}

interface MemoryModule {
  readonly MemoryVectorStore: new (embeddings: object) => MemoryVectorStore;
}

/**
 * Vectors alone: the store knows no words. Its embedder is never asked, as vectors and query
 * vectors are given.
 */
export const langchainPeer: Peer = {
  name: 'LangChain MemoryVectorStore',
  about: `@langchain/classic ${PEER_VERSIONS['@langchain/classic']}; vectors alone (exact, cosine), in memory; it has no deletion, so its list is filtered`,
  persists: false,
  async load() {
    const { MemoryVectorStore } = await loadPackage<MemoryModule>(
      '@langchain/classic',
      '/vectorstores/memory',
    );
    return () => Promise.resolve(new LangchainIndex(new MemoryVectorStore({})));
  },
};

class LangchainIndex implements PeerIndex {
  constructor(private readonly store: MemoryVectorStore) {}

  async add({ source, chunks, vectors }: PeerBatch): Promise<void> {
    await this.store.addVectors(
      vectors.map((vector) => Array.from(vector)),
      chunks.map(({ chunk_id, content }) => ({
        pageContent: content,
        metadata: { chunkId: chunk_id, source },
      })),
    );
  }

  finish(): Promise<void> {
    return Promise.resolve();
  }

  async search({ vector, source }: PeerQuery): Promise<readonly PeerHit[]> {
    const filter =
      source === undefined ? undefined : ({ metadata }: Document) => metadata.source === source;
    const found = await this.store.similaritySearchVectorWithScore(Array.from(vector), TOP, filter);
    return found.map(([{ pageContent, metadata }]) => ({ ...metadata, content: pageContent }));
  }

  removeSource(source: number): Promise<void> {
    this.store.memoryVectors = this.store.memoryVectors.filter(
      ({ metadata }) => metadata.source !== source,
    );
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
