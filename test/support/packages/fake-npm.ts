import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { tarGz } from './archives.js';

const SCRIPT = `#!${process.execPath}
const { appendFileSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const words = process.argv.slice(2);
appendFileSync(join(__dirname, 'calls'), words.join(' ') + '\\n');
const state = readFileSync(join(__dirname, 'state'), 'utf8');
if (state === 'hangs') setInterval(() => undefined, 1000);
else if (state !== '') {
  process.stderr.write('npm error code ' + state + '\\nnpm error for a reason\\n');
  process.exitCode = 1;
} else if (words[0] === 'pack') {
  copyFileSync(join(__dirname, 'registry.tgz'), join(process.cwd(), 'server-0.1.0.tgz'));
} else {
  readFileSync('npm-shrinkwrap.json');
  mkdirSync('node_modules');
  writeFileSync('node_modules/installed', '');
}
`;

/** A program named npm that fetches nothing: its registry is one file. */
export class FakeNpm {
  private constructor(private readonly folder: string) {}

  /** Writes the program into a folder. */
  static create(folder: string): FakeNpm {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'npm'), SCRIPT);
    chmodSync(join(folder, 'npm'), 0o755);
    const npm = new FakeNpm(folder);
    npm.fail('');
    return npm;
  }

  /** A search path on which it is found before any other npm. */
  get path(): string {
    return `${this.folder}${delimiter}${process.env['PATH'] ?? ''}`;
  }

  /** Sets the tarball that `npm pack` returns. */
  publish(tarball: Uint8Array): void {
    writeFileSync(join(this.folder, 'registry.tgz'), tarball);
  }

  /** Fails further calls with an error code of npm; `hangs` never ends; empty: they succeed. */
  fail(state: string): void {
    writeFileSync(join(this.folder, 'state'), state);
  }

  /** Returns the words of the calls so far. */
  calls(): readonly string[] {
    const file = join(this.folder, 'calls');
    return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  }
}

/**
 * Replaces the search path of this process, and returns the former one.
 * @param path undefined removes it.
 */
export function replaceSearchPath(path: string | undefined): string | undefined {
  const former = process.env['PATH'];
  if (path === undefined) delete process.env['PATH'];
  else process.env['PATH'] = path;
  return former;
}

/** Returns a tarball with the name, version and launcher of a server package. */
export function serverTarball(
  launcher = '',
  manifest: object = { name: '@footnote-search/server', version: '0.1.0', type: 'module' },
): Buffer {
  return tarGz({
    'package/package.json': JSON.stringify(manifest),
    'package/npm-shrinkwrap.json': '{}',
    'package/bin/footnote-server.mjs': launcher,
  });
}
