import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** What a process is started with. It inherits nothing of the environment of this one. */
export interface ProcessOptions {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Who started the process ended before it did. What it was to do can be done again. */
export class ProcessLostError extends Error {
  constructor() {
    super('The process that starts others ended');
    this.name = 'ProcessLostError';
  }
}

/** A process in a group of its own. */
export interface StartedProcess {
  readonly stdin: Writable;
  /**
   * Read at the consumer's pace: what nobody takes is held by the process itself, but for a bounded
   * rest.
   */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /**
   * How it ended, when all that it wrote was taken. Rejects when it could not be started, or is
   * lost to whoever started it.
   */
  readonly ended: Promise<ProcessEnd>;
  /** Kills it with everything that it started in its group; nothing when it has ended. */
  kill(): void;
}

/**
 * Starts a program, which is looked for in the `PATH` of `options.env`. Never throws for what the
 * program is.
 */
export type StartProcess = (
  command: string,
  parameters: readonly string[],
  options: ProcessOptions,
) => StartedProcess;

/**
 * Starts a program from this very process. That copies this one's page tables, which blocks its
 * event loop for some 60 ms a GiB of its memory: for small processes, and specs. A service uses
 * `ProcessHelper`.
 */
export const startHere: StartProcess = (command, parameters, options) => {
  const child = spawnGroup(command, parameters, options);
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  // Who stops reading early need not wait for the end.
  ended.catch(() => undefined);
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    kill: () => killGroup(child.pid),
  };
};

/** A child that leads a group of its own. That it may have closed its input is no error. */
export function spawnGroup(
  command: string,
  parameters: readonly string[],
  { cwd, env }: ProcessOptions,
): ChildProcessByStdio<Writable, Readable, Readable> {
  const child = spawn(command, parameters, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  return child;
}

/** Kills a process with its group. */
export function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group has ended already.
  }
}
