import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { freePort } from '#test/support/free-port';
import { TestRepository } from '#test/support/git-repository';

import type { NodeRelease } from './node-release.js';
import { run, started, type Surroundings } from './run.js';

/** Figures of a release of Node. Seconds, and megabytes of files. */
export interface Figures {
  readonly node: string;
  readonly scripts: boolean;
  readonly cliSeconds: number;
  readonly cliMegabytes: number;
  readonly helpMs: number;
  /** From an empty cache of npm to the list of tools. */
  readonly mcpSeconds: number;
  /** From an empty cache and data folder until the service is ready. */
  readonly readySeconds: number;
  /** From the same moment to a cited answer. */
  readonly answerSeconds: number;
  readonly serverMegabytes: number;
}

type ServiceFigures = Pick<Figures, 'readySeconds' | 'answerSeconds' | 'serverMegabytes'>;

const HELP_RUNS = 9;
const QUESTION = 'How is the total price of a cart computed?';
const FILES = {
  'src/cart.py':
    'def total_price(cart):\n    """Computes the total price of a cart."""\n    return sum(cart.prices)\n',
  'README.md': '# Shop\n\nA cart has prices.\n',
};
const WAIT_MS = 50;

/**
 * Installs the packages into empty folders, and uses them as a newcomer does. Without install
 * scripts, `footnote up` fetches the server. With them, npm installs the server, and the program of
 * the package starts it.
 * @param scripts whether npm may run install scripts.
 * @param home folder for everything.
 * @throws Error where a step fails or an answer has no citation.
 */
export async function tryPackages(
  release: NodeRelease,
  scripts: boolean,
  tarballs: { readonly cli: string; readonly server: string },
  home: string,
): Promise<Figures> {
  const env = {
    ...networkSettings(),
    PATH: release.path,
    HOME: home,
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_DATA_HOME: join(home, 'data'),
    npm_config_cache: join(home, 'cache'),
    npm_config_update_notifier: 'false',
    ALLOW_FILE_URLS: home,
    LOG_LEVEL: 'warn',
  };
  const place = (name: string): Surroundings => {
    const cwd = join(home, name);
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(cwd, 'package.json'), '{"private":true}');
    return { cwd, env };
  };
  const mcpSeconds = await coldMcp(release, tarballs.cli, place('mcp'));
  emptyCache(env);
  const install = ['install', ...(scripts ? [] : ['--ignore-scripts']), '--no-audit', '--no-fund'];
  const cli = place('cli');
  const { seconds: cliSeconds } = await run(npm(release, [...install, tarballs.cli]), cli);
  const cliMegabytes = megabytes(join(cli.cwd, 'node_modules'));
  const footnote = [
    release.node,
    join(cli.cwd, 'node_modules/@footnote-search/cli/bin/footnote.js'),
  ];
  const helpMs = await medianOfHelp(footnote, cli);
  emptyCache(env);
  const service = scripts
    ? await installedServer(
        npm(release, [...install, tarballs.server]),
        release,
        footnote,
        place('server'),
      )
    : await fetchedServer(footnote, tarballs.server, cli);
  return {
    node: release.version,
    scripts,
    cliSeconds,
    cliMegabytes,
    helpMs,
    mcpSeconds,
    ...service,
  };
}

/** Returns the variables without which a registry is out of reach of this machine. */
function networkSettings(): Record<string, string> {
  const names = /^(?:NODE_EXTRA_CA_CERTS|https?_proxy|no_proxy|npm_config_registry)$/i;
  const found = Object.entries(process.env).filter(([name, value]) => names.test(name) && value);
  return Object.fromEntries(found) as Record<string, string>;
}

function npm({ node, npm: script }: NodeRelease, words: readonly string[]): readonly string[] {
  return [node, script, ...words];
}

function emptyCache({ npm_config_cache: cache }: { readonly npm_config_cache: string }): void {
  rmSync(cache, { recursive: true, force: true });
}

/** Starts the tools as the settings of a client do, by npm and with nothing in its cache. */
async function coldMcp(
  release: NodeRelease,
  cli: string,
  { cwd, env }: Surroundings,
): Promise<number> {
  const words = ['exec', '--yes', `--package=${cli}`, '--', 'footnote', 'mcp'];
  const [command = '', ...args] = npm(release, words);
  const start = performance.now();
  const transport = new StdioClientTransport({
    command,
    args,
    cwd,
    stderr: 'inherit',
    env: { ...env, FOOTNOTE_API_KEY: 'fnt_none' },
  });
  const client = new Client({ name: 'packages-try', version: '1' });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const seconds = (performance.now() - start) / 1_000;
  await client.close();
  if (!tools.some(({ name }) => name === 'search')) throw new Error('footnote mcp has no search');
  return seconds;
}

async function medianOfHelp(footnote: readonly string[], place: Surroundings): Promise<number> {
  const seconds: number[] = [];
  for (let count = 0; count < HELP_RUNS; count += 1)
    seconds.push((await run([...footnote, '--help'], place)).seconds);
  return (seconds.sort((one, other) => one - other)[Math.floor(HELP_RUNS / 2)] ?? NaN) * 1_000;
}

/** Measures `footnote up`, which fetches the server. */
async function fetchedServer(
  footnote: readonly string[],
  server: string,
  place: Surroundings,
): Promise<ServiceFigures> {
  const start = performance.now();
  const port = await freePort();
  const { child, output } = started(
    [...footnote, 'up', '--port', String(port), '--server', server],
    place,
  );
  const figures = await toCitedAnswer(footnote, { child, output, port, start }, place);
  const installed = join(place.env['XDG_DATA_HOME'] ?? '', 'footnote/server');
  return { ...figures, serverMegabytes: megabytes(installed) };
}

/** Measures an install of the server by npm, and its own program. */
async function installedServer(
  install: readonly string[],
  release: NodeRelease,
  footnote: readonly string[],
  place: Surroundings,
): Promise<ServiceFigures> {
  const start = performance.now();
  await run(install, place);
  const port = await freePort();
  const key = `fnt_${'k'.repeat(32)}`;
  const launcher = join(place.cwd, 'node_modules/@footnote-search/server/bin/footnote-server.mjs');
  const env = {
    ...place.env,
    PORT: String(port),
    DATA_DIR: join(place.cwd, 'data'),
    BOOTSTRAP_API_KEY: key,
    FOOTNOTE_URL: `http://localhost:${port}`,
    FOOTNOTE_API_KEY: key,
  };
  const { child, output } = started([release.node, launcher], { cwd: place.cwd, env });
  const service = { child, output, port, start };
  const figures = await toCitedAnswer(footnote, service, { cwd: place.cwd, env });
  return { ...figures, serverMegabytes: megabytes(join(place.cwd, 'node_modules')) };
}

/** Waits for a started service, adds a repository and asks. Ends the service. */
async function toCitedAnswer(
  footnote: readonly string[],
  {
    child,
    output,
    port,
    start,
  }: ReturnType<typeof started> & { readonly port: number; readonly start: number },
  place: Surroundings,
): Promise<Omit<ServiceFigures, 'serverMegabytes'>> {
  const ended = once(child, 'close');
  const since = () => (performance.now() - start) / 1_000;
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (child.exitCode === null && !(await isReady())) await wait();
  const readySeconds = since();
  const hasContext = () =>
    'FOOTNOTE_API_KEY' in place.env ||
    existsSync(join(place.env['XDG_CONFIG_HOME'] ?? '', 'footnote/contexts.json'));
  while (child.exitCode === null && !hasContext()) await wait();
  if (child.exitCode !== null || output.stderr.includes('prepared image'))
    throw new Error(`The service does not start:\n${output.stderr}`);
  const repository = TestRepository.create(join(place.cwd, 'shop'), FILES);
  const say = (...command: string[]) => run([...footnote, ...command], place);
  await say('source', 'add', repository.url, '--name', 'Shop', '--wait');
  const { stdout } = await say('--json', 'ask', QUESTION);
  const answerSeconds = since();
  if (!stdout.includes('src/cart.py')) throw new Error(`The answer cites nothing: ${stdout}`);
  const { stdout: tool } = await say('--agent', 'search', 'total_price of a cart');
  if (!tool.includes('Shop src/cart.py:1-3 @')) throw new Error(`The tool cites nothing: ${tool}`);
  child.kill('SIGINT');
  await ended;
  return { readySeconds, answerSeconds };
}

function wait(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, WAIT_MS));
}

function megabytes(folder: string): number {
  const files = readdirSync(folder, { withFileTypes: true, recursive: true });
  const sizes = files
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(join(parentPath, name)).size);
  return sizes.reduce((sum, size) => sum + size, 0) / 1e6;
}
