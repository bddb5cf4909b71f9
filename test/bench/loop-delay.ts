import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Measures for how long the event loop of another process is blocked. The process appends a line to
 * a file each second.
 */
export class LoopDelay {
  constructor(private readonly file: string) {}

  /** To be started with. */
  get environment(): Readonly<Record<string, string>> {
    const probe = pathToFileURL(resolve('dist/test/bench/loop-delay-probe.js')).href;
    // In addition to the options that `npm start` gives every process.
    const { NODE_OPTIONS: usual = '' } = JSON.parse(
      readFileSync('tools/runtime-env.json', 'utf8'),
    ) as NodeJS.ProcessEnv;
    return { NODE_OPTIONS: `${usual} --import=${probe}`, LOOP_DELAY_FILE: this.file };
  }

  /** The longest reported block in milliseconds between two times (`Date.now()`). */
  longest(from: number, to: number): number {
    const lines = readFileSync(this.file, 'utf8').trim().split('\n');
    const delays = lines
      .map((line) => line.split(' ').map(Number))
      .filter(([at = 0]) => at >= from && at <= to);
    return Math.max(0, ...delays.map(([, milliseconds = 0]) => milliseconds));
  }
}
