import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { installedPackages } from '#test/support/tool-packages';

/** A release of Node with an npm that runs on it, as a person has them on the search path. */
export interface NodeRelease {
  readonly version: string;
  /** The program of Node. */
  readonly node: string;
  /** The program of npm, which Node runs. */
  readonly npm: string;
  /** Search path with this Node and npm before the system's programs. */
  readonly path: string;
}

/** Folders of git and of a shell. */
const SYSTEM = ['/usr/local/bin', '/usr/bin', '/bin'];

/**
 * Installs a release of Node from the npm package of this platform.
 * @param npm script of npm's command line.
 * @param scratch folder for the search path.
 */
export async function nodeRelease(
  version: string,
  npm: string,
  scratch: string,
): Promise<NodeRelease> {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  const modules = await installedPackages(`node-${version}`, { [name]: version });
  const node = join(modules, name, 'bin/node');
  const bin = join(scratch, `bin-${version}`);
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin, { recursive: true });
  symlinkSync(node, join(bin, 'node'));
  writeFileSync(join(bin, 'npm'), `#!/bin/sh\nexec '${node}' '${npm}' "$@"\n`);
  chmodSync(join(bin, 'npm'), 0o755);
  return { version, node, npm, path: [bin, dirname(npm), ...SYSTEM].join(delimiter) };
}
