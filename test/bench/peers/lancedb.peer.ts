import { HASH_NGRAM_DIMENSIONS } from '#retrieval';

import { fuseRanks } from './fuse.js';
import { loadPackage, PEER_VERSIONS } from './packages.js';
import {
  LEG_DEPTH,
  namesOf,
  type Peer,
  type PeerBatch,
  type PeerHit,
  type PeerIndex,
  type PeerQuery,
  type SearchedColumns,
  TOP,
} from './peer.js';

interface Row {
  readonly chunk_id: string;
  readonly source: number;
  readonly content: string;
}

interface Query {
  where(predicate: string): this;
  select(columns: readonly string[]): this;
  limit(count: number): this;
  toArray(): Promise<Row[]>;
}

interface VectorQuery extends Query {
  distanceType(type: 'cosine'): this;
  fullTextSearch(query: object): this;
  rerank(reranker: object): this;
}

interface Table {
  add(rows: object): Promise<unknown>;
  createIndex(column: string, options?: object): Promise<void>;
  optimize(): Promise<unknown>;
  delete(predicate: string): Promise<unknown>;
  query(): { nearestTo(vector: Float32Array): VectorQuery; fullTextSearch(query: object): Query };
  close(): void;
}

interface Connection {
  tableNames(): Promise<string[]>;
  openTable(name: string): Promise<Table>;
  createEmptyTable(name: string, schema: object): Promise<Table>;
  close(): void;
}

/** The part of LanceDB that the peer uses. */
interface LanceModule {
  connect(folder: string): Promise<Connection>;
  readonly Index: {
    fts(options: object): object;
    hnswSq(options: object): object;
    btree(): object;
  };
  readonly MultiMatchQuery: new (text: string, columns: string[], options?: object) => object;
  readonly MatchQuery: new (text: string, column: string) => object;
  readonly rerankers: { readonly RRFReranker: { create(): Promise<object> } };
}

/** The part of Arrow that describes the columns. */
interface ArrowModule {
  readonly Schema: new (fields: object[]) => object;
  readonly Field: new (name: string, type: object, nullable?: boolean) => object;
  readonly Utf8: new () => object;
  readonly Int32: new () => object;
  readonly Float32: new () => object;
  readonly FixedSizeList: new (size: number, field: object) => object;
}

const TABLE = 'chunks';
const TEXT_COLUMNS = ['content', 'path', 'names'];
const NAME_BOOSTS = [1, 1, 3];
const SETTING = 'three indexed columns (stemmed, stop words, names × 3)';
const FUSION = 'both legs at once, RRF';
const COLUMNS = ['chunk_id', 'source', 'content'];

/** LanceDB with vectors as they lie in the table: every search compares all of them. */
export const lanceFlatPeer = lancePeer('LanceDB, no vector index', false);
/** LanceDB with the index that its figures recommend where recall matters. */
export const lanceHnswPeer = lancePeer('LanceDB, HNSW-SQ', true);

function lancePeer(name: string, hasVectorIndex: boolean): Peer {
  return {
    name,
    about: `@lancedb/lancedb ${PEER_VERSIONS['@lancedb/lancedb']}; ${SETTING}, vectors ${hasVectorIndex ? 'by HNSW-SQ, cosine' : 'exact, float'}; ${FUSION}`,
    persists: true,
    load: () => loadLance(HASH_NGRAM_DIMENSIONS, hasVectorIndex),
  };
}

/** Loads its code, and gives what opens an index over vectors of so many dimensions. */
export async function loadLance(
  dimensions: number,
  hasVectorIndex: boolean,
): Promise<(folder: string) => Promise<LanceIndex>> {
  const lance = await loadPackage<LanceModule>('@lancedb/lancedb');
  const arrow = await loadPackage<ArrowModule>('apache-arrow');
  return async (folder) => {
    const connection = await lance.connect(folder);
    const isNew = !(await connection.tableNames()).includes(TABLE);
    const table = isNew
      ? await connection.createEmptyTable(TABLE, schema(arrow, dimensions))
      : await connection.openTable(TABLE);
    return new LanceIndex(lance, connection, table, hasVectorIndex);
  };
}

function schema(
  { Schema, Field, Utf8, Int32, Float32, FixedSizeList }: ArrowModule,
  dimensions: number,
): object {
  const vector = new FixedSizeList(dimensions, new Field('item', new Float32(), true));
  return new Schema([
    new Field('chunk_id', new Utf8()),
    new Field('source', new Int32()),
    ...TEXT_COLUMNS.map((column) => new Field(column, new Utf8())),
    new Field('vector', vector),
  ]);
}

class LanceIndex implements PeerIndex {
  constructor(
    private readonly lance: LanceModule,
    private readonly connection: Connection,
    private readonly table: Table,
    private readonly hasVectorIndex: boolean,
  ) {}

  async add({ source, chunks, vectors }: PeerBatch): Promise<void> {
    await this.table.add(
      chunks.map((chunk, at) => ({
        chunk_id: chunk.chunk_id,
        source,
        content: chunk.content,
        path: chunk.path,
        names: namesOf(chunk),
        vector: vectors[at],
      })),
    );
  }

  async finish(): Promise<void> {
    const { Index } = this.lance;
    await this.table.optimize();
    for (const column of TEXT_COLUMNS) {
      await this.table.createIndex(column, {
        config: Index.fts({ withPosition: false, stem: true, removeStopWords: true }),
      });
    }
    await this.table.createIndex('source', { config: Index.btree() });
    if (this.hasVectorIndex) {
      await this.table.createIndex('vector', { config: Index.hnswSq({ distanceType: 'cosine' }) });
    }
  }

  /**
   * Fused here: its own hybrid query gave the same results in more time, and fails for a vector of
   * zeros.
   */
  async search({ text, vector, source }: PeerQuery): Promise<readonly PeerHit[]> {
    const leg = (query: Query, score: string): Promise<Row[]> =>
      (source === undefined ? query : query.where(`source = ${source}`))
        .select([...COLUMNS, score])
        .limit(LEG_DEPTH)
        .toArray();
    const words = new this.lance.MultiMatchQuery(text, TEXT_COLUMNS, { boosts: NAME_BOOSTS });
    const legs = await Promise.all([
      leg(this.table.query().fullTextSearch(words), '_score'),
      vector.some((value) => value !== 0)
        ? leg(this.table.query().nearestTo(vector).distanceType('cosine'), '_distance')
        : [],
    ]);
    const rows = new Map(legs.flat().map((row) => [row.chunk_id, row]));
    const best = fuseRanks(
      legs.map((found) => found.map((row) => row.chunk_id)),
      TOP,
    );
    return best.flatMap((id) => {
      const row = rows.get(id);
      return row ? [{ chunkId: id, source: row.source, content: row.content }] : [];
    });
  }

  /**
   * Returns the ids of the best {@link LEG_DEPTH} by the hybrid query that its guide shows, with
   * its own RRF reranker.
   * @param columns the text alone, as in the guide, or all three with equal weights. The best
   * column of a chunk counts alone. Names are short, so with a weight of their own one word in a
   * name would decide.
   */
  async searchHybrid(
    { text, vector }: PeerQuery,
    columns: SearchedColumns,
  ): Promise<readonly string[]> {
    const words =
      columns === 'text column'
        ? new this.lance.MatchQuery(text, 'content')
        : new this.lance.MultiMatchQuery(text, TEXT_COLUMNS);
    const rows = await this.table
      .query()
      .nearestTo(vector)
      .distanceType('cosine')
      .fullTextSearch(words)
      .rerank(await this.lance.rerankers.RRFReranker.create())
      .limit(LEG_DEPTH)
      .toArray();
    return rows.map((row) => row.chunk_id);
  }

  async removeSource(source: number): Promise<void> {
    await this.table.delete(`source = ${source}`);
  }

  close(): Promise<void> {
    this.table.close();
    this.connection.close();
    return Promise.resolve();
  }
}
