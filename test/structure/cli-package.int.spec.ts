import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { tempDir } from '../support/temp-dir.js';

const LARGEST_PACKAGE = 3 * 1024 * 1024;

describe('the light package, installed in an empty folder', () => {
  const folder = tempDir('cli-package-');
  const installed = join(folder.path, 'empty/node_modules/@footnote-search/cli');
  let tarball: string;

  beforeAll(() => {
    const built = join(folder.path, 'package');
    run(process.execPath, ['tools/pack-cli.mjs', built], process.cwd());
    run('npm', ['pack', built, '--offline', '--loglevel=error'], folder.path);
    const [name = ''] = readdirSync(folder.path).filter((each) => each.endsWith('.tgz'));
    tarball = join(folder.path, name);
    const empty = join(folder.path, 'empty');
    mkdirSync(empty);
    writeFileSync(join(empty, 'package.json'), '{"private":true,"type":"module"}');
    run('npm', ['install', tarball, '--offline', '--ignore-scripts', '--loglevel=error'], empty);
  });
  afterAll(() => folder.remove());

  function bytesBelow(path: string): number {
    const entries = readdirSync(path, { withFileTypes: true, recursive: true });
    const files = entries.filter((entry) => entry.isFile());
    return files.reduce(
      (sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size,
      0,
    );
  }
  function run(command: string, words: readonly string[], cwd: string): string {
    return execFileSync(command, words, {
      cwd,
      encoding: 'utf8',
      env: { ...process.env, XDG_CONFIG_HOME: folder.path, FOOTNOTE_API_KEY: '' },
    });
  }

  it('is small, and installs nothing else', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as object;
    for (const field of ['scripts', 'dependencies', 'optionalDependencies', 'peerDependencies']) {
      expect(manifest).not.toHaveProperty(field);
    }
    expect(manifest).toMatchObject({ private: true, engines: { node: '>=20' } });
    expect(statSync(tarball).size).toBeLessThan(LARGEST_PACKAGE);
    expect(bytesBelow(installed)).toBeLessThan(LARGEST_PACKAGE);
    const others = readdirSync(join(folder.path, 'empty/node_modules'));
    expect(others.filter((name) => !name.startsWith('.'))).toEqual(['@footnote-search']);
  });

  it('runs the command line', () => {
    const bin = join(folder.path, 'empty/node_modules/.bin/footnote');
    expect(run(bin, ['--help'], folder.path)).toContain('Usage: footnote');
    expect(run(bin, ['__complete', 'po'], folder.path)).toBe('policy\n');
  });

  it('states the license of each package in it', () => {
    const notice = readFileSync(join(installed, 'NOTICE'), 'utf8');
    for (const name of ['@modelcontextprotocol/server', 'commander', 'eventsource-parser', 'zod']) {
      const folder = join('node_modules', name);
      const { version, license } = JSON.parse(
        readFileSync(join(folder, 'package.json'), 'utf8'),
      ) as { version: string; license: string };
      expect(notice).toContain(`\n${name} ${version} (${license})\n`);
      expect(notice).toContain(readFileSync(join(folder, 'LICENSE'), 'utf8').trim());
    }
    expect(notice).not.toContain('\n@nestjs/');
  });

  it('states the licenses of packages that the SDK carries inside', () => {
    const notice = readFileSync(join(installed, 'NOTICE'), 'utf8');
    const sdk = 'node_modules/@modelcontextprotocol/server/dist';
    const names = ['ajv', 'ajv-formats', 'content-type', 'fast-uri', 'json-schema-traverse'];
    const files = readdirSync(sdk).filter((name) => name.endsWith('.mjs'));
    const text = files.map((name) => readFileSync(join(sdk, name), 'utf8')).join('\n');
    for (const name of names) {
      const version = new RegExp(`/\\.pnpm/${name}@([\\d.]+)[_/]`).exec(text)?.[1];
      expect(notice).toMatch(new RegExp(`^${name} ${version} \\((?:MIT|BSD-3-Clause)\\)$`, 'm'));
    }
    expect(notice).toContain('Copyright (c) 2015 Douglas Christopher Wilson');
  });

  it('contains the whole table of tokens', () => {
    const packed = readFileSync(join(installed, 'bin/o200k.tiktoken.br'));
    const table = readFileSync('node_modules/gpt-tokenizer/data/o200k_base.tiktoken');
    expect(brotliDecompressSync(packed).equals(table)).toBe(true);
  });

  it('serves the tools of agents over stdio', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const bin = join(installed, 'bin/footnote.js');
    const env = { FOOTNOTE_API_KEY: 'fnt_none', XDG_CONFIG_HOME: folder.path };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [bin, 'mcp'], env }),
    );
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.map(({ name }) => name)).toContain('search');
  });

  it('exports the client', () => {
    const program =
      "import { createClient } from '@footnote-search/cli/client';" +
      "console.log(typeof createClient({ url: 'http://x' }).search.post);";
    const words = ['--input-type=module', '--eval', program];
    expect(run(process.execPath, words, join(folder.path, 'empty'))).toBe('function\n');
    expect(readFileSync(join(installed, 'types/index.d.ts'), 'utf8')).toContain('createClient');
  });
});
