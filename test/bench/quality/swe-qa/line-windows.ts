import { DatabaseSync } from 'node:sqlite';

import type { ParsedDocument } from '#ingest';

import { matchOf } from '../../peers/sqlite.peer.js';
import type { RankedPlace } from '../metric.js';
import { firstOfFiles } from '../question-peers/first-of-files.js';

/** Lines of a window; the next window starts where one ends. */
const WINDOW_LINES = 60;
const DEPTH = 200;
/** Results of a file, as many as Footnote shows. */
const MOST_OF_A_FILE = 2;
const SCHEMA = `
  CREATE TABLE windows (id INTEGER PRIMARY KEY, path TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL);
  CREATE VIRTUAL TABLE words USING fts5 (content, path, tokenize='porter unicode61');
`;
const BEST = `SELECT windows.path AS path, first, last FROM words JOIN windows ON windows.id = words.rowid
  WHERE words MATCH ? ORDER BY bm25(words), words.rowid LIMIT ${DEPTH}`;

/** FTS5 of SQLite over windows of lines: a search that takes an afternoon to build. */
export class LineWindows {
  private constructor(private readonly database: DatabaseSync) {}

  /** Indexes documents in memory, each in windows of {@link WINDOW_LINES} lines with its path. */
  static of(documents: readonly ParsedDocument[]): LineWindows {
    const database = new DatabaseSync(':memory:');
    database.exec(`${SCHEMA} BEGIN`);
    const place = database.prepare('INSERT INTO windows (path, first, last) VALUES (?, ?, ?)');
    const words = database.prepare('INSERT INTO words (rowid, content, path) VALUES (?, ?, ?)');
    for (const { path, text } of documents) {
      for (const { first, last, content } of windowsOf(text)) {
        const id = place.run(path, first, last).lastInsertRowid;
        words.run(id, content, path);
      }
    }
    database.exec('COMMIT');
    return new LineWindows(database);
  }

  /** Returns the best windows for any of the words of a question, two of a file at most. */
  search(question: string): RankedPlace[] {
    const rows = this.database.prepare(BEST).all(matchOf(question));
    const places = rows.map(({ path, first, last }) => ({
      path: String(path),
      startLine: Number(first),
      endLine: Number(last),
    }));
    return firstOfFiles(places, MOST_OF_A_FILE);
  }

  close(): void {
    this.database.close();
  }
}

interface Window {
  /** First and last line, from 1. */
  readonly first: number;
  readonly last: number;
  readonly content: string;
}

/** Returns the windows of a text that have a word. */
export function windowsOf(text: string): Window[] {
  const lines = text.split('\n');
  const windows: Window[] = [];
  for (let at = 0; at < lines.length; at += WINDOW_LINES) {
    const own = lines.slice(at, at + WINDOW_LINES);
    windows.push({ first: at + 1, last: at + own.length, content: own.join('\n') });
  }
  return windows.filter(({ content }) => /[\p{L}\p{N}]/u.test(content));
}
