import type { DatabaseSync } from 'node:sqlite';

import { LogDamagedError } from '../errors/log-errors.js';
import type {
  LogRow,
  ReadStreamRequest,
  ScanPage,
  ScanRequest,
  StreamPage,
} from './log-protocol.js';
import { formatPosition } from './position.js';

/**
 * A page ends at its row limit or at this size, whichever comes first, so that large events do not
 * fill the memory.
 */
const PAGE_BYTES = 4 * 1024 * 1024;

const COLUMNS = 'position, stream, revision, id, type, data, metadata, recorded_at AS recordedAt';

/** Returns one page of a stream in revision order, or reversed. */
export function readStreamPage(database: DatabaseSync, request: ReadStreamRequest): StreamPage {
  const { backwards, stream, limit } = request;
  const from = request.from ?? (backwards ? Number.MAX_SAFE_INTEGER : 0);
  const [compare, order] = backwards ? ['<=', 'DESC'] : ['>=', 'ASC'];
  const { rows, cut } = takePage(
    database
      .prepare(
        `SELECT ${COLUMNS} FROM events WHERE stream = ? AND revision ${compare} ? ORDER BY revision ${order} LIMIT ?`,
      )
      .iterate(stream, from, limit),
  );
  expectSteps(rows, (row) => row.revision, request.from, backwards ? -1 : 1);
  return { rows, end: !cut && rows.length < limit };
}

/** Returns one page of the whole log in position order, filtered. */
export function scanPage(database: DatabaseSync, request: ScanRequest, head: number): ScanPage {
  const { sql, parameters } = scanQuery(request);
  const { rows, cut } = takePage(database.prepare(sql).iterate(...parameters));
  if (!request.types && !request.categories)
    expectSteps(rows, (row) => row.position, request.after + 1, 1);
  const full = cut || rows.length === request.limit;
  const considered = full
    ? (rows.at(-1)?.position ?? request.after)
    : Math.max(head, request.after);
  return { rows, considered, atHead: considered >= head };
}

/**
 * Returns the query of a scan. With a filter, each wanted type (or category) is read from its own
 * index and the short lists are merged. So the cost depends on the number of matches, not on the
 * number of events between them.
 */
function scanQuery(request: ScanRequest): {
  readonly sql: string;
  readonly parameters: (string | number)[];
} {
  const { after, types, categories, limit } = request;
  const key = types ? 'type' : categories ? 'category' : null;
  if (!key) {
    return {
      sql: `SELECT ${COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?`,
      parameters: [after, limit],
    };
  }
  const values = types ?? categories ?? [];
  const rest =
    types && categories ? `AND category IN (${categories.map(() => '?').join(', ')})` : '';
  const seek = `SELECT * FROM (SELECT position FROM events WHERE ${key} = ? AND position > ? ${rest} ORDER BY position LIMIT ?)`;
  const matches = values.map(() => seek).join(' UNION ALL ');
  return {
    sql: `SELECT ${COLUMNS} FROM events WHERE position IN (${matches} ORDER BY 1 LIMIT ?) ORDER BY position`,
    parameters: [
      ...values.flatMap((value) => [value, after, ...(rest ? (categories ?? []) : []), limit]),
      limit,
    ],
  };
}

/**
 * Checks that a page has no gaps in revisions and positions. A page with a gap comes from a broken
 * index and must not be delivered.
 * @param first expected first row; null for any.
 * @throws LogDamagedError.
 */
function expectSteps(
  rows: readonly LogRow[],
  of: (row: LogRow) => number,
  first: number | null,
  step: 1 | -1,
): void {
  let expected = first;
  for (const row of rows) {
    // Reading backwards may begin beyond the end, so only the rows after the first one are certain.
    if (expected !== null && of(row) !== expected && !(step < 0 && row === rows[0])) {
      throw new LogDamagedError(
        `The event log skips from ${expected} to ${of(row)} near ${formatPosition(row.position)}`,
      );
    }
    expected = of(row) + step;
  }
}

function takePage(iterator: Iterable<Record<string, unknown>>): {
  readonly rows: LogRow[];
  readonly cut: boolean;
} {
  const rows: LogRow[] = [];
  let bytes = 0;
  for (const record of iterator) {
    const row = record as unknown as LogRow;
    rows.push(row);
    bytes += row.data.length + row.metadata.length;
    if (bytes >= PAGE_BYTES) return { rows, cut: true };
  }
  return { rows, cut: false };
}
