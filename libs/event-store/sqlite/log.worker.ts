import { parentPort, workerData } from 'node:worker_threads';

import { GroupCommit } from './group-commit.js';
import type { LogAnswer, LogRequest } from './log-protocol.js';
import { isDiskFault, toFault } from './sqlite-fault.js';
import { SqliteLog } from './sqlite-log.js';

/** What the store hands to its thread. */
export interface LogWorkerData {
  readonly directory: string;
  readonly verifyAtOpen: number;
}

/** Events that the background check takes at once, and the pause after them in milliseconds: appends come first. */
const CHECK_SLICE = 250;
const CHECK_PAUSE_MS = 10;

const port = parentPort;
if (!port) throw new Error('log.worker runs as a worker thread only');
const { directory, verifyAtOpen } = workerData as LogWorkerData;

let failed = false;
const log = openLog();
if (log) serve(log);

function openLog(): SqliteLog | null {
  try {
    const opened = SqliteLog.open(directory, verifyAtOpen);
    answer({ kind: 'opened', head: opened.head, recovered: opened.recovered });
    return opened;
  } catch (error) {
    answer({ kind: 'refused', fault: toFault(error) });
    port?.close();
    return null;
  }
}

function serve(open: SqliteLog): void {
  const commits = new GroupCommit(open, answer, fail);
  port?.on('message', ([request, body]: [number, LogRequest]) => {
    if (failed) return;
    if (body.kind === 'append') return commits.add(request, body);
    if (body.kind === 'copy') return copy(open, request, body.directory);
    try {
      answer({ kind: 'answer', request, value: handle(open, commits, body) });
      if (body.kind === 'close') port?.close();
    } catch (error) {
      if (isDiskFault(error)) return fail(error);
      answer({ kind: 'failed', request, message: toFault(error).message });
    }
  });
  checkOn(open);
}

/** Goes on between other requests; nobody waits for it but who asked. */
function copy(open: SqliteLog, request: number, directory: string): void {
  open.copy(directory).then(
    (value) => answer({ kind: 'answer', request, value }),
    (error: unknown) => answer({ kind: 'failed', request, message: toFault(error).message }),
  );
}

function handle(
  open: SqliteLog,
  commits: GroupCommit,
  body: Exclude<LogRequest, { kind: 'append' | 'copy' }>,
): unknown {
  switch (body.kind) {
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

/** Works through what was not verified at open, a slice at a time. */
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

/** From here on nothing is taken any more: the process is about to end. */
function fail(error: unknown): void {
  failed = true;
  answer({ kind: 'fatal', fault: toFault(error) });
}

function answer(message: LogAnswer): void {
  port?.postMessage(message);
}
