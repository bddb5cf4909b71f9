import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { PROJECT_ROOT } from '#test/support/project-root';
import { installedPackages } from '#test/support/tool-packages';

const INSTALL_LIMIT_MS = 300_000;
const NPM = {
  '@modelcontextprotocol/server-filesystem': '2026.8.31',
  '@upstash/context7-mcp': '4.1.1',
};
const PYTHON = { 'code-index-mcp': '2.17.1', 'mcp-server-git': '2026.10.19' };

/** A server of others that needs no account to start. */
export interface Peer {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The tool that finds a text in the files of a repository; undefined without one. */
  readonly textSearch?: {
    readonly tool: string;
    /** Calls before the first search. */
    readonly prepare: readonly (readonly [string, object])[];
  };
}

/** Installs the servers outside of the project's dependencies. Needs `python3`. */
export async function installedPeers(repository: string): Promise<readonly Peer[]> {
  const modules = await installedPackages('mcp-tokens', NPM);
  const node = (name: keyof typeof NPM, ...words: readonly string[]): Peer => ({
    name: `${name} ${NPM[name]}`,
    command: process.execPath,
    args: [join(modules, name, 'dist', 'index.js'), ...words],
  });
  return [
    {
      ...(await python('code-index-mcp')),
      textSearch: {
        tool: 'search_code_advanced',
        prepare: [['set_project_path', { path: repository }]],
      },
    },
    await python('mcp-server-git'),
    node('@modelcontextprotocol/server-filesystem', repository),
    node('@upstash/context7-mcp'),
  ];
}

/** Installs a package of PyPI into an environment of its own. */
async function python(name: keyof typeof PYTHON): Promise<Peer> {
  const folder = join(PROJECT_ROOT, '.cache', 'mcp-tokens', name);
  const limits = { timeout: INSTALL_LIMIT_MS };
  const command = join(folder, 'bin', name);
  if (!existsSync(command)) {
    mkdirSync(folder, { recursive: true });
    await promisify(execFile)('python3', ['-m', 'venv', folder], limits);
    const words = ['-m', 'pip', 'install', '--quiet', `${name}==${PYTHON[name]}`];
    await promisify(execFile)(join(folder, 'bin', 'python'), words, limits);
  }
  return { name: `${name} ${PYTHON[name]}`, command, args: [] };
}
