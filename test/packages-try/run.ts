import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Longest time of a command. */
const TIME_LIMIT_MS = 15 * 60_000;

export interface CommandRun {
  readonly seconds: number;
  readonly stdout: string;
}

/** A place of commands: nothing of the surrounding environment but what is here. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a command to its end. @throws Error with its output if it fails. */
export async function run(
  [command = '', ...words]: readonly string[],
  surroundings: Surroundings,
): Promise<CommandRun> {
  const start = performance.now();
  const { child, output } = started([command, ...words], surroundings);
  const timer = setTimeout(() => child.kill('SIGKILL'), TIME_LIMIT_MS);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  if (code !== 0) {
    throw new Error(
      `${command} ${words.join(' ')} ended with ${code}:\n${output.stdout}${output.stderr}`,
    );
  }
  return { seconds: (performance.now() - start) / 1_000, stdout: output.stdout };
}

/** Starts a command, and collects its output. */
export function started(
  [command = '', ...words]: readonly string[],
  surroundings: Surroundings,
): { readonly child: ChildProcess; readonly output: { stdout: string; stderr: string } } {
  const child = spawn(command, words, { ...surroundings, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (part: Buffer) => (output.stdout += part.toString()));
  child.stderr.on('data', (part: Buffer) => (output.stderr += part.toString()));
  return { child, output };
}
