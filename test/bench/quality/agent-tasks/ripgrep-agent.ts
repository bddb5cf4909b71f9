import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { countO200k } from '#ingest/chunk/tokens';

import {
  type AgentTask,
  type AgentWork,
  CountedCalls,
  placesIn,
  type TaskAgent,
} from './agent-task.js';

/** Searches a clone with ripgrep and reads each file with a match as a whole. */
export class RipgrepAgent implements TaskAgent {
  readonly name = 'ripgrep and whole files';

  /** @param folderOf the clone of a repository. */
  constructor(private readonly folderOf: (repository: string) => string) {}

  async work(task: AgentTask): Promise<AgentWork> {
    const calls = new CountedCalls(countO200k);
    const folder = this.folderOf(task.repository);
    const { references, pattern, names } = task;
    if (names) {
      const absent: string[] = [];
      for (const name of names) {
        const text = await calls.read(() => ripgrep(folder, ['-w', '-F', name], task));
        if (placesIn(text, task).length === 0) absent.push(name);
      }
      return calls.work(absent);
    }
    const wanted = references === undefined ? [pattern ?? ''] : ['-w', '-F', references];
    const text = await calls.read(() => ripgrep(folder, wanted, task));
    const places = placesIn(text, task);
    const files = new Set(places.map((place) => place.slice(0, place.lastIndexOf(':'))));
    for (const file of files) await calls.read(() => readFileSync(join(folder, file), 'utf8'));
    // What a reader of these files concludes; only calls and tokens are compared.
    return calls.work(task.answer);
  }
}

function ripgrep(folder: string, wanted: readonly string[], { paths = [] }: AgentTask): string {
  const globs = paths.flatMap((glob) => ['-g', glob]);
  const fixed = ['--no-config', '--no-heading', '--color=never', '--line-number', ...globs];
  const options = [...fixed, ...wanted.slice(0, -1), '--regexp', wanted.at(-1) ?? '', '.'];
  const found = spawnSync('rg', options, { cwd: folder, encoding: 'utf8' });
  if (found.error || found.status === 2) throw new Error(`ripgrep failed: ${found.stderr}`);
  return found.stdout.replace(/^\.\//gm, '');
}
