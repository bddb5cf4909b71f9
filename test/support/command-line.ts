import { spawn } from 'node:child_process';

/** The result of a run of the command line. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A run that goes on; `result` resolves at its end. */
export interface CommandRun {
  readonly result: Promise<CommandResult>;
  interrupt(): void;
}

export interface CommandOptions {
  readonly env: Readonly<Record<string, string>>;
  /** Standard input; default: empty. */
  readonly input?: string;
}

/** Starts `footnote` with some words, in an environment without others' variables. */
export function startCommand(
  words: readonly string[],
  { env, input = '' }: CommandOptions,
): CommandRun {
  const child = spawn(process.execPath, ['dist/apps/cli/main.js', ...words], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '' };
  child.stdout.on('data', (part: Buffer) => (text.stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => (text.stderr += part.toString()));
  child.stdin.end(input);
  return {
    result: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, ...text }));
    }),
    interrupt: () => child.kill('SIGINT'),
  };
}
