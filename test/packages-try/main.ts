import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';

import { tempDir } from '#test/support/temp-dir';

import { nodeRelease } from './node-release.js';
import { packed, type Tarball } from './pack.js';
import { type Figures, tryPackages } from './trial.js';

/** Releases of the supported lines that the npm packages of Node have. */
const RELEASES = ['20.20.2', '22.23.3', '24.21.0'];
const TARGETS = { helpMs: 300, mcpSeconds: 10, cliBytes: 3_000_000 };

/**
 * Packs both packages, installs them into empty folders on each release of Node, with and without
 * install scripts, and measures them. Words select releases by their beginning. It needs the
 * registry. Prints tables, and fails if a step fails or a target is not met.
 */
const chosen = RELEASES.filter(
  (release) =>
    process.argv.length < 3 || process.argv.slice(2).some((word) => release.startsWith(word)),
);
const scratch = tempDir('packages-try-');
const npm = process.env['npm_execpath'];
if (npm === undefined) throw new Error('Start this by npm run packages:try');
try {
  const cli = packed('pack-cli', npm, scratch.path);
  const server = packed('pack-server', npm, scratch.path);
  const npmVersion = execFileSync(process.execPath, [npm, '--version']).toString().trim();
  const load = execFileSync('uptime').toString().trim();
  print(`npm ${npmVersion}, ${cpus().length} processors, ${load}\n`);
  printTarballs({ '@footnote-search/cli': cli, '@footnote-search/server': server });
  const figures: Figures[] = [];
  for (const version of chosen) {
    const release = await nodeRelease(version, npm, scratch.path);
    for (const scripts of [false, true]) {
      const tarballs = { cli: cli.path, server: server.path };
      const home = join(scratch.path, `${version}-${scripts ? 'with' : 'without'}-scripts`);
      const found = await tryPackages(release, scripts, tarballs, home);
      process.stderr.write(`${JSON.stringify(found)}\n`);
      figures.push(found);
    }
  }
  printFigures(figures);
  const missed =
    cli.unpacked > TARGETS.cliBytes ||
    figures.some(
      ({ helpMs, mcpSeconds }) => helpMs > TARGETS.helpMs || mcpSeconds > TARGETS.mcpSeconds,
    );
  if (missed) process.exitCode = 1;
} finally {
  scratch.remove();
}

function printTarballs(tarballs: Readonly<Record<string, Tarball>>): void {
  print('| package | tarball | unpacked |');
  print('| --- | --- | --- |');
  for (const [name, { bytes, unpacked }] of Object.entries(tarballs))
    print(`| \`${name}\` | ${mb(bytes / 1e6)} | ${mb(unpacked / 1e6)} |`);
  print('');
}

function printFigures(figures: readonly Figures[]): void {
  print(
    '| Node | scripts | `cli` installs | `--help` | cold `mcp` | service ready | cited answer | server |',
  );
  print('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const each of figures) {
    const cells = [
      each.node,
      each.scripts ? 'run: npm installs the server' : 'ignored: `up` fetches it',
      `${s(each.cliSeconds)}, ${mb(each.cliMegabytes)}`,
      `${each.helpMs.toFixed(0)} ms`,
      s(each.mcpSeconds),
      s(each.readySeconds),
      s(each.answerSeconds),
      mb(each.serverMegabytes),
    ];
    print(`| ${cells.join(' | ')} |`);
  }
}

function s(seconds: number): string {
  return `${seconds.toFixed(1)} s`;
}

function mb(megabytes: number): string {
  return `${megabytes.toFixed(1)} MB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
