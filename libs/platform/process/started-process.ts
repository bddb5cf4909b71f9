import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** Parameters of a process. It inherits nothing of this process's environment. */
export interface ProcessOptions {
  readonly cwd?: string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** The process that started it ended first. Its work can be repeated. */
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
   * Read at the consumer's pace: unread output stays in the process itself, except for a bounded
   * rest.
   */
  readonly stdout: Readable;
  readonly stderr: Readable;
  /**
   * The end of the process, once all its output was taken. Rejects if it could not be started, or
   * is lost.
   */
  readonly ended: Promise<ProcessEnd>;
  /** Kills it with its group; does nothing if it has ended. */
  kill(): void;
}

/**
 * Starts a program from the `PATH` of `options.env`. Never throws for a missing or failing program.
 */
export type StartProcess = (
  command: string,
  parameters: readonly string[],
  options: ProcessOptions,
) => StartedProcess;

/**
 * Starts a program from this very process. That copies its page tables, which blocks the event loop
 * for some 60 ms per GiB of memory. So it is for small processes and specs; a service uses
 * `ProcessHelper`.
 */
export const startHere: StartProcess = (command, parameters, options) => {
  const child = spawnGroup(command, parameters, options);
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  // A reader that stops early need not wait for the end.
  ended.catch(() => undefined);
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    kill: () => killGroup(child.pid),
  };
};

/** Starts a child that leads its own group. A closed input of the child is not an error. */
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
    // The group has already ended.
  }
}
