import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Measures in another process for how long its event loop is blocked, told by a file that it adds a
 * line to each second.
 */
export class LoopDelay {
  constructor(private readonly file: string) {}

  /** To be started with. */
  get environment(): Readonly<Record<string, string>> {
    const probe = pathToFileURL(resolve('dist/test/bench/loop-delay-probe.js')).href;
    // Beside what `npm start` gives every process.
    const { NODE_OPTIONS: usual = '' } = JSON.parse(
      readFileSync('tools/runtime-env.json', 'utf8'),
    ) as NodeJS.ProcessEnv;
    return { NODE_OPTIONS: `${usual} --import=${probe}`, LOOP_DELAY_FILE: this.file };
  }

  /** The longest block in milliseconds of those that were told between two times (`Date.now()`). */
  longest(from: number, to: number): number {
    const lines = readFileSync(this.file, 'utf8').trim().split('\n');
    const told = lines
      .map((line) => line.split(' ').map(Number))
      .filter(([at = 0]) => at >= from && at <= to);
    return Math.max(0, ...told.map(([, milliseconds = 0]) => milliseconds));
  }
}
