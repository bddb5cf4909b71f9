import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

import { HASH_NGRAM_DIMENSIONS } from '#retrieval';
import { STOP_WORDS } from '#retrieval/analysis/analyze-query';

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

interface SqliteVec {
  getLoadablePath(): string;
}

/** A chunk's id, and how well its words match: higher is better. */
interface WordHit {
  readonly chunkId: string;
  readonly score: number;
}

const schema = (dimensions: number): string => `
  CREATE TABLE IF NOT EXISTS chunks (
    id INTEGER PRIMARY KEY, source INTEGER NOT NULL, chunk_id TEXT NOT NULL, path TEXT NOT NULL, names TEXT NOT NULL, content TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS chunks_by_source ON chunks (source);
  CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
    content, path, names, content='chunks', content_rowid='id', tokenize='porter unicode61'
  );
  CREATE VIRTUAL TABLE IF NOT EXISTS vectors USING vec0 (
    id INTEGER PRIMARY KEY, source INTEGER PARTITION KEY, embedding FLOAT[${dimensions}]
  );
`;
/** Names count three times, as they do in Footnote. */
const BY_WORDS = `SELECT words.rowid AS id FROM words JOIN chunks ON chunks.id = words.rowid
  WHERE words MATCH ? %SOURCE% ORDER BY bm25(words, 1, 1, 3) LIMIT ${LEG_DEPTH}`;
const BEST_BY_WORDS = `SELECT chunks.chunk_id AS id, -bm25(words, %WEIGHTS%) AS score FROM words JOIN chunks ON chunks.id = words.rowid
  WHERE words MATCH ? ORDER BY score DESC LIMIT ${LEG_DEPTH}`;
const BEST_BY_VECTOR = `SELECT chunks.chunk_id AS id FROM vectors JOIN chunks ON chunks.id = vectors.id
  WHERE embedding MATCH ? AND k = ${LEG_DEPTH} ORDER BY distance`;
const BY_VECTOR = `SELECT id FROM vectors WHERE embedding MATCH ? AND k = ${LEG_DEPTH} %SOURCE% ORDER BY distance`;

/**
 * FTS5 and sqlite-vec in one file: two queries a search and reciprocal rank fusion, as both
 * projects' guides show it.
 */
export const sqlitePeer: Peer = {
  name: 'SQLite',
  about: `FTS5 of Node's SQLite (porter, three columns, names × 3, stop words left out of the query) and sqlite-vec ${PEER_VERSIONS['sqlite-vec']} (exact, float, partitioned by source), RRF`,
  persists: true,
  load: () => loadSqlite(HASH_NGRAM_DIMENSIONS),
};

/** Loads the extension, and gives what opens an index over vectors of so many dimensions. */
export async function loadSqlite(
  dimensions: number,
): Promise<(folder: string) => Promise<SqliteIndex>> {
  const vec = await loadPackage<SqliteVec>('sqlite-vec');
  return (folder) => {
    const database = new DatabaseSync(join(folder, 'index.sqlite'), { allowExtension: true });
    database.loadExtension(vec.getLoadablePath());
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA mmap_size = 1073741824',
    );
    database.exec(schema(dimensions));
    return Promise.resolve(new SqliteIndex(database));
  };
}

class SqliteIndex implements PeerIndex {
  private readonly content: StatementSync;
  private readonly words: StatementSync;
  private readonly wordsOfSource: StatementSync;
  private readonly vectors: StatementSync;
  private readonly vectorsOfSource: StatementSync;

  constructor(private readonly database: DatabaseSync) {
    this.content = database.prepare('SELECT chunk_id, source, content FROM chunks WHERE id = ?');
    this.words = database.prepare(BY_WORDS.replace('%SOURCE%', ''));
    this.wordsOfSource = database.prepare(BY_WORDS.replace('%SOURCE%', 'AND chunks.source = ?'));
    this.vectors = database.prepare(BY_VECTOR.replace('%SOURCE%', ''));
    this.vectorsOfSource = database.prepare(BY_VECTOR.replace('%SOURCE%', 'AND source = ?'));
  }

  add({ source, chunks, vectors }: PeerBatch): Promise<void> {
    const chunkRow = this.database.prepare(
      'INSERT INTO chunks (source, chunk_id, path, names, content) VALUES (?, ?, ?, ?, ?)',
    );
    const wordsRow = this.database.prepare(
      'INSERT INTO words (rowid, content, path, names) VALUES (?, ?, ?, ?)',
    );
    const vectorRow = this.database.prepare(
      'INSERT INTO vectors (id, source, embedding) VALUES (?, ?, ?)',
    );
    this.inTransaction(() => {
      chunks.forEach((chunk, at) => {
        const { chunk_id, path, content } = chunk;
        const names = namesOf(chunk);
        const id = BigInt(chunkRow.run(source, chunk_id, path, names, content).lastInsertRowid);
        wordsRow.run(id, content, path, names);
        vectorRow.run(id, BigInt(source), vectors[at] as Float32Array);
      });
    });
    return Promise.resolve();
  }

  finish(): Promise<void> {
    this.database.exec(
      "INSERT INTO words (words) VALUES ('optimize'); PRAGMA wal_checkpoint(TRUNCATE)",
    );
    return Promise.resolve();
  }

  search({ text, vector, source }: PeerQuery): Promise<readonly PeerHit[]> {
    const match = matchOf(text);
    const byWords =
      source === undefined ? this.words.all(match) : this.wordsOfSource.all(match, source);
    const byVector =
      source === undefined
        ? this.vectors.all(vector)
        : this.vectorsOfSource.all(vector, BigInt(source));
    const fused = fuseRanks(
      [byWords.map(({ id }) => Number(id)), byVector.map(({ id }) => Number(id))],
      TOP,
    );
    return Promise.resolve(
      fused.map((id) => {
        const row = this.content.get(id) as { chunk_id: string; source: number; content: string };
        return { chunkId: row.chunk_id, source: row.source, content: row.content };
      }),
    );
  }

  /**
   * The best {@link LEG_DEPTH} by their words, in the text alone with the weights that FTS5 gives,
   * or in all three columns.
   */
  legOfWords(text: string, columns: SearchedColumns): readonly WordHit[] {
    const [weights, match] =
      columns === 'text column'
        ? ['1, 1, 1', `content : (${matchOf(text)})`]
        : ['1, 1, 3', matchOf(text)];
    const rows = this.database.prepare(BEST_BY_WORDS.replace('%WEIGHTS%', weights)).all(match);
    return rows.map(({ id, score }) => ({ chunkId: String(id), score: Number(score) }));
  }

  /** Ids of the nearest {@link LEG_DEPTH}. */
  legOfVectors(vector: Float32Array): readonly string[] {
    return this.database
      .prepare(BEST_BY_VECTOR)
      .all(vector)
      .map(({ id }) => String(id));
  }

  removeSource(source: number): Promise<void> {
    this.inTransaction(() => {
      this.database
        .prepare(
          "INSERT INTO words (words, rowid, content, path, names) SELECT 'delete', id, content, path, names FROM chunks WHERE source = ?",
        )
        .run(source);
      this.database.prepare('DELETE FROM vectors WHERE source = ?').run(source);
      this.database.prepare('DELETE FROM chunks WHERE source = ?').run(source);
    });
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.database.close();
    return Promise.resolve();
  }

  private inTransaction(work: () => void): void {
    this.database.exec('BEGIN');
    try {
      work();
      this.database.exec('COMMIT');
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
  }
}

/** Any of the words, each quoted; all of them where there are stop words alone. */
export function matchOf(text: string): string {
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  return (telling.length > 0 ? telling : words).map((word) => `"${word}"`).join(' OR ');
}
