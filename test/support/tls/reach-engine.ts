import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { EngineName } from '#engines';

import { PROJECT_ROOT } from '../project-root.js';
import { tempDir } from '../temp-dir.js';

const TIMEOUT_MS = 60_000;

export interface Reached {
  /** `reached`, or the sentence that the start of a process would end with. */
  readonly outcome: string;
  /** Everything that was printed, the log included. */
  readonly output: string;
}

/**
 * Opens an engine and uses it once, in a process of its own: authorities that Node trusts are read
 * when it starts. It has no other variables than these.
 */
export async function reachEngine(
  name: EngineName,
  variables: Readonly<Record<string, string>>,
): Promise<Reached> {
  const folder = tempDir();
  try {
    const main = join(PROJECT_ROOT, 'dist/test/support/tls/reach-engine.process.js');
    const child = spawn(
      process.execPath,
      ['--disable-warning=TimeoutNegativeWarning', main, name],
      {
        // Here is no `.env`.
        cwd: folder.path,
        env: {
          PATH: process.env['PATH'],
          DATA_DIR: join(folder.path, 'data'),
          MASTER_KEY: '0f'.repeat(32),
          ...variables,
        },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
        timeout: TIMEOUT_MS,
      },
    );
    let [outcome, output] = ['', ''];
    child.on('message', (message) => (outcome = message as string));
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => (output += part.toString()));
    await once(child, 'close');
    return { outcome, output: `${output}${outcome}` };
  } finally {
    folder.remove();
  }
}
