import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import { PROJECT_ROOT } from '#test/support/project-root';

/**
 * Packages that are measured next to Footnote. They are no dependencies: the benchmark installs
 * them into a folder that git ignores.
 */
export const PEER_VERSIONS = {
  '@lancedb/lancedb': '0.39.0',
  'apache-arrow': '18.1.0',
  'sqlite-vec': '0.1.9',
  '@orama/orama': '3.1.18',
  '@langchain/classic': '1.0.50',
  '@langchain/core': '1.4.0',
} as const;

export type PeerPackage = keyof typeof PEER_VERSIONS;

const FOLDER = join(PROJECT_ROOT, '.cache', 'peers');
const INSTALL_LIMIT_MS = 600_000;

/**
 * Installs the peers at their versions where one that is needed is missing.
 * @param needed all when absent
 * @throws Error with npm's last words when it cannot.
 */
export async function installPeers(
  say: (line: string) => void,
  needed?: readonly PeerPackage[],
): Promise<void> {
  const names = needed ?? (Object.keys(PEER_VERSIONS) as PeerPackage[]);
  const missing = names
    .map((name) => [name, PEER_VERSIONS[name]] as const)
    .filter(([name, version]) => installedVersion(name) !== version);
  if (missing.length === 0) return;
  say(`installing ${missing.map((each) => each.join(' ')).join(', ')} into .cache/peers`);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(
    join(FOLDER, 'package.json'),
    JSON.stringify({ private: true, dependencies: PEER_VERSIONS }, null, 2),
  );
  // Native code comes built, so no install script has to run; other peers of theirs serve what is
  // not measured.
  const options = [
    '--ignore-scripts',
    '--legacy-peer-deps',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  try {
    await promisify(execFile)('npm', ['install', '--prefix', FOLDER, ...options], {
      timeout: INSTALL_LIMIT_MS,
    });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    throw new Error(`npm cannot install the peers: ${stderr.trim().slice(-500)}`, { cause: error });
  }
}

/**
 * Loads an installed peer, or a path inside its package; `T` describes the part of it that is used.
 */
export async function loadPackage<T>(name: PeerPackage, path = ''): Promise<T> {
  const file = createRequire(join(FOLDER, 'package.json')).resolve(`${name}${path}`);
  return (await import(pathToFileURL(file).href)) as T;
}

function installedVersion(name: string): string | undefined {
  const file = join(FOLDER, 'node_modules', name, 'package.json');
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
    : undefined;
}
