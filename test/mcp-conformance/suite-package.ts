import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { PROJECT_ROOT } from '#test/support/project-root';

const NAME = '@modelcontextprotocol/conformance';
const VERSION = '0.2.0-alpha.12';
const FOLDER = join(PROJECT_ROOT, '.cache', 'mcp-conformance');
const INSTALL_LIMIT_MS = 300_000;

/**
 * Installs the conformance suite into a folder that git ignores, and returns its program. It is no
 * dependency: it needs 121 packages that nothing else needs.
 */
export async function installedSuite(): Promise<string> {
  const home = join(FOLDER, 'node_modules', NAME);
  if (versionAt(home) !== VERSION) {
    mkdirSync(FOLDER, { recursive: true });
    const manifest = { private: true, dependencies: { [NAME]: VERSION } };
    writeFileSync(join(FOLDER, 'package.json'), JSON.stringify(manifest));
    const words = ['install', '--prefix', FOLDER, '--ignore-scripts', '--no-audit', '--no-fund'];
    await promisify(execFile)('npm', words, { timeout: INSTALL_LIMIT_MS });
  }
  return join(home, 'dist', 'index.js');
}

function versionAt(folder: string): string | undefined {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}
