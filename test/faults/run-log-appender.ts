import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { PROJECT_ROOT } from '../support/project-root.js';

const APPENDER = join(PROJECT_ROOT, 'dist/test/faults/log-appender.js');

export interface AppenderRun {
  /**
   * `<stream> <revision> <event id>` of every event whose append was acknowledged to the process.
   */
  readonly acknowledged: readonly string[];
  /** Every line it printed. */
  readonly lines: readonly string[];
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface AppenderOptions {
  readonly directory: string;
  readonly count?: number;
  /** Kill -9 this many milliseconds after it has opened the log. */
  readonly killAfterMs?: number;
  /** A command line that runs node, such as strace with its options. */
  readonly under?: readonly string[];
  /** Longest run in milliseconds, then it is killed with everything it started. Default 20,000. */
  readonly limitMs?: number;
}

/** Starts the appender. Its end is awaited by `runAppender`. */
export function startAppender(options: AppenderOptions): ChildProcess {
  const [command = process.execPath, ...before] = [...(options.under ?? []), process.execPath];
  const words = [...before, APPENDER, options.directory, String(options.count ?? 'Infinity')];
  return spawn(command, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
}

/** Runs the appender to its end, however it ends. */
export async function runAppender(options: AppenderOptions): Promise<AppenderRun> {
  const child = startAppender(options);
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const limit = setTimeout(() => killGroup(child), options.limitMs ?? 20_000);
  if (options.killAfterMs !== undefined) {
    if (child.stdout) await Promise.race([once(child.stdout, 'data'), ended]);
    await delay(options.killAfterMs);
    child.kill('SIGKILL');
  }
  const [status, signal] = await ended;
  clearTimeout(limit);
  // The kill cut off the text after the last line break; nobody received an acknowledgement for it.
  const lines = output.split('\n').slice(0, -1);
  const acknowledged = lines.filter((line) => line.startsWith('ack ')).map((line) => line.slice(4));
  return { acknowledged, lines, status, signal };
}

/**
 * The process and what it started: a wrapper killed alone would leave the appender behind it
 * running.
 */
function killGroup(child: ChildProcess): void {
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
}
