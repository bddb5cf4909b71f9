import { fork } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Figure } from '../report.js';
import type { Peer } from './peer.js';

const HEAP_MIB = 6_144;
const PROCESS_LIMIT_MS = 240_000;
const DOING = { build: 'indexing', search: 'searching' };
const FILE = fileURLToPath(new URL('./peer-process.js', import.meta.url));

/**
 * Measures one peer in processes of its own, indexing and searching apart where it persists. One
 * that fails keeps the figures it gave and says why it ended.
 *
 * @param limitMs how long each of its processes may take
 */
export async function runPeer(
  peer: Peer,
  corpusFolder: string,
  scratch: string,
  limitMs = PROCESS_LIMIT_MS,
): Promise<readonly Figure[]> {
  const folder = join(scratch, peer.name.replace(/\W+/g, '-'));
  mkdirSync(folder);
  const figures: Figure[] = [];
  const tell = (figure: Figure): void => void figures.push({ ...figure, subject: peer.name });
  let problem = await runProcess(peer, 'build', [corpusFolder, folder], limitMs, tell);
  if (problem === undefined && peer.persists) {
    problem = await runProcess(peer, 'search', [corpusFolder, folder], limitMs, tell);
  }
  if (!peer.persists) tell({ what: 'open in a new process', measured: 'nothing is kept', raw: {} });
  tell({
    what: 'ran to the end',
    measured: problem === undefined ? 'yes' : `**no**: ${problem}`,
    raw: {},
  });
  return figures;
}

/** @returns why it failed, or undefined. */
function runProcess(
  peer: Peer,
  task: keyof typeof DOING,
  folders: readonly string[],
  limitMs: number,
  tell: (figure: Figure) => void,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = fork(FILE, [peer.name, task, ...folders], {
      execArgv: [
        '--expose-gc',
        `--max-old-space-size=${HEAP_MIB}`,
        '--disable-warning=ExperimentalWarning',
      ],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    let errors = '';
    let isLate = false;
    const limit = setTimeout(() => {
      isLate = true;
      child.kill('SIGKILL');
    }, limitMs);
    child.stderr?.on('data', (bytes: Buffer) => {
      errors = (errors + bytes.toString()).slice(-4_000);
    });
    child.on('message', (figure) => {
      tell(figure as Figure);
    });
    child.on('error', (error) => {
      errors += error.message;
    });
    child.on('close', (code, signal) => {
      clearTimeout(limit);
      const doing = peer.persists ? DOING[task] : 'indexing and searching';
      if (code === 0) resolve(undefined);
      else if (isLate) resolve(`stopped after ${limitMs / 1000} s of ${doing}`);
      else resolve(reasonOf(doing, errors, signal ?? `exit code ${code}`));
    });
  });
}

function reasonOf(doing: string, errors: string, ending: string): string {
  if (errors.includes('heap out of memory'))
    return `out of memory at a heap of ${HEAP_MIB / 1024} GiB, ${doing}`;
  const last = errors.trim().split('\n').at(-1)?.slice(0, 200).replaceAll('|', '/');
  return `${doing} failed: ${last || ending}`;
}
