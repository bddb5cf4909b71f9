import { workerData } from 'node:worker_threads';

import { LATER, ThreadServer } from '#platform/concurrency/thread-server';

import { GroupCommit } from './group-commit.js';
import type { LogGrowth, LogOpened, LogRequest } from './log-protocol.js';
import { isDiskFault, toFault } from './sqlite-fault.js';
import { SqliteLog } from './sqlite-log.js';

/** Data that the store passes to its thread. */
export interface LogWorkerData {
  readonly directory: string;
  readonly verifyAtOpen: number;
}

/**
 * Number of events that the background check takes at once, and the pause after them in
 * milliseconds: appends come first.
 */
const CHECK_SLICE = 250;
const CHECK_PAUSE_MS = 10;

const thread = new ThreadServer<LogRequest, LogGrowth>();
const { directory, verifyAtOpen } = workerData as LogWorkerData;

let failed = false;
const log = openLog();
if (log) serve(log);

function openLog(): SqliteLog | null {
  try {
    const opened = SqliteLog.open(directory, verifyAtOpen);
    thread.opened({ head: opened.head, recovered: opened.recovered } satisfies LogOpened);
    return opened;
  } catch (error) {
    thread.refused(toFault(error));
    return null;
  }
}

function serve(open: SqliteLog): void {
  const commits = new GroupCommit(
    open,
    ({ outcomes, ...news }) =>
      thread.send({ news, answers: outcomes.map(([id, value]) => ({ id, value })) }),
    fail,
  );
  thread.serve((body, request) => {
    if (failed) return LATER;
    try {
      return handle(open, commits, body, request);
    } catch (error) {
      if (!isDiskFault(error)) throw new Error(toFault(error).message, { cause: error });
      fail(error);
      return LATER;
    }
  });
  checkOn(open);
}

function handle(open: SqliteLog, commits: GroupCommit, body: LogRequest, request: number): unknown {
  switch (body.kind) {
    case 'append':
      commits.add(request, body);
      return LATER;
    case 'copy':
      // Runs between other requests; only its requester waits for it.
      return open.copy(body.directory);
    case 'read-stream':
      return open.readStream(body);
    case 'scan':
      return open.scan(body);
    case 'verify':
      return open.verify();
    case 'close':
      commits.flush();
      failed = true;
      return open.close();
  }
}

/** Verifies the rest of the log that was not verified at open, in slices. */
function checkOn(open: SqliteLog): void {
  setTimeout(() => {
    if (failed) return;
    try {
      if (open.verifyNext(CHECK_SLICE)) checkOn(open);
    } catch (error) {
      fail(error);
    }
  }, CHECK_PAUSE_MS).unref();
}

/** Rejects everything from here on: the process is about to end. */
function fail(error: unknown): void {
  failed = true;
  thread.fatal(toFault(error));
}
