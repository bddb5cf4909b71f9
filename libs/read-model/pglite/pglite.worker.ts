import { workerData } from 'node:worker_threads';

import { PGlite, types } from '@electric-sql/pglite';

import { ThreadServer } from '#platform/concurrency/thread-server';
import { byBaselineCompiler } from '#platform/process/baseline-compiler';

import type { PgliteRequest, PgliteResult } from './pglite-protocol.js';

/** The thread that owns PGlite, so that SQL never blocks the event loop of the service. */
const thread = new ThreadServer<PgliteRequest>();
const { directory } = workerData as { directory: string };

const SETTINGS = [
  'shared_buffers=16MB',
  // A checkpoint removes files of the write-ahead log that are no longer needed. A recycled file
  // would keep the text of erased tenants until it is overwritten.
  'wal_recycle=off',
  // PGlite has no autovacuum that keeps statistics, and pages are in the file system's cache. With
  // the costs of a hard disk, the planner would not read the first rows of an index. It would
  // collect and sort all rows of a tenant.
  'random_page_cost=1.1',
  'enable_bitmapscan=off',
];

const database = await open();
if (database) {
  let last: Promise<unknown> = Promise.resolve();
  // One after the other: a statement must not overtake the previous one.
  thread.serve((request) => {
    const answer = last.then(() => answerTo(database, request));
    last = answer.catch(() => undefined);
    return answer;
  });
  thread.opened();
}

async function open(): Promise<PGlite | undefined> {
  try {
    return await byBaselineCompiler(() =>
      PGlite.create(directory, {
        // The rows are small, and the file system's cache contains them too: 128 MB of buffers
        // would store them twice.
        startParams: [
          ...PGlite.defaultStartParams,
          ...SETTINGS.flatMap((setting) => ['-c', setting]),
        ],
        // 64-bit integers as text, as in node-postgres.
        parsers: { [types.INT8]: (value: string) => value },
      }),
    );
  } catch (error) {
    thread.refused(error);
    return undefined;
  }
}

async function answerTo(pglite: PGlite, request: PgliteRequest): Promise<PgliteResult | undefined> {
  if (request.kind === 'query') {
    if (request.first !== undefined) await pglite.exec(request.first);
    return run(pglite, request.sql, request.parameters);
  }
  await pglite.close();
  return undefined;
}

/**
 * Runs a query. Without parameters, a text may contain several statements; the last result is
 * returned.
 */
async function run(
  pglite: PGlite,
  sql: string,
  parameters: readonly unknown[],
): Promise<PgliteResult> {
  const result = parameters.length
    ? await pglite.query(sql, [...parameters])
    : (await pglite.exec(sql)).at(-1);
  return {
    rows: (result?.rows ?? []) as Record<string, unknown>[],
    rowCount: result?.affectedRows || (result?.rows.length ?? 0),
    command: result ? commandOf(result, sql) : '',
  };
}

function commandOf(result: object, sql: string): string {
  return 'command' in result && typeof result.command === 'string'
    ? result.command
    : (/^\s*(\w+)/.exec(sql)?.[1] ?? '').toUpperCase();
}
