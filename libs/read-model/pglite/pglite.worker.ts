import { parentPort, workerData } from 'node:worker_threads';

import { PGlite, types } from '@electric-sql/pglite';

import { byBaselineCompiler } from './baseline-compiler.js';
import type { PgliteFailure, PgliteGreeting, PgliteReply, PgliteRequest, PgliteResult } from './pglite-protocol.js';

/** The thread that owns PGlite: parsing and executing SQL never stalls the event loop of the service. */
const port = parentPort;
if (!port) throw new Error('pglite.worker runs as a worker thread');

const { directory } = workerData as { directory: string };
const send = (message: PgliteReply | PgliteGreeting) => port.postMessage(message);

const database = await open();
if (database) {
  let last: Promise<void> = Promise.resolve();
  port.on('message', (request: PgliteRequest) => {
    last = last.then(() => answer(database, request));
  });
}

async function open(): Promise<PGlite | undefined> {
  try {
    const opened = await byBaselineCompiler(() =>
      PGlite.create(directory, {
        // The rows are small, and the file system's cache holds them again: 128 MB of buffers would be paid for twice.
        startParams: [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB'],
        // 64-bit integers as text, as node-postgres gives them.
        parsers: { [types.INT8]: (value: string) => value },
      }),
    );
    send({ opened: true });
    return opened;
  } catch (error) {
    send({ opened: false, failure: failure(error) });
    return undefined;
  }
}

async function answer(pglite: PGlite, request: PgliteRequest): Promise<void> {
  try {
    if (request.kind === 'close') {
      await pglite.close();
      send({ id: request.id, result: { rows: [], rowCount: 0, command: 'CLOSE' } });
      port?.close();
      return;
    }
    send({ id: request.id, result: await run(pglite, request.sql, request.parameters) });
  } catch (error) {
    send({ id: request.id, failure: failure(error) });
  }
}

/** Without parameters a text may hold several statements; the last one's result counts. */
async function run(pglite: PGlite, sql: string, parameters: readonly unknown[]): Promise<PgliteResult> {
  const result = parameters.length ? await pglite.query(sql, [...parameters]) : (await pglite.exec(sql)).at(-1);
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

function failure(error: unknown): PgliteFailure {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, detail, constraint } = error as Error & Partial<Record<'code' | 'detail' | 'constraint', unknown>>;
  return {
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof detail === 'string' ? { detail } : {}),
    ...(typeof constraint === 'string' ? { constraint } : {}),
  };
}
