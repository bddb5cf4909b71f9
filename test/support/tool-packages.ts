import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { PROJECT_ROOT } from '#test/support/project-root';

const INSTALL_LIMIT_MS = 300_000;

/**
 * Installs packages, each at an exact version, into a folder that git ignores. They are no
 * dependencies: they need many packages that nothing else needs.
 * @param name of the folder below `.cache`.
 * @returns the folder of the installed packages.
 */
export async function installedPackages(
  name: string,
  versions: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = join(PROJECT_ROOT, '.cache', name);
  const modules = join(folder, 'node_modules');
  if (Object.keys(versions).some((each) => versionAt(join(modules, each)) !== versions[each])) {
    mkdirSync(folder, { recursive: true });
    const manifest = { private: true, dependencies: versions };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    const words = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', words, { timeout: INSTALL_LIMIT_MS });
  }
  return modules;
}

function versionAt(folder: string): string | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
