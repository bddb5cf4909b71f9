import { describe, expect, it } from '@jest/globals';

import { TimeSlices } from '#platform';

import { type FileDecision, FileSelector } from './file-selector.js';
import { OutputFolders } from './output-folders.js';
import { SkipCounter } from './skip-counter.js';

function selector(
  options: { include?: string[]; exclude?: string[]; paths?: string[] } = {},
): FileSelector {
  const folders = new OutputFolders();
  for (const path of options.paths ?? []) folders.add(path);
  return new FileSelector({
    include: options.include ?? [],
    exclude: options.exclude ?? [],
    maxFileBytes: 1_000,
    outputs: folders.finish(),
  });
}

function decide(path: string, options: Parameters<typeof selector>[0] = {}): FileDecision {
  return selector(options).decide({ path, size: 10 });
}

describe('default skips', () => {
  it.each<readonly [string, FileDecision]>([
    ['src/index.ts', 'read'],
    ['packages/a/node_modules/b/index.js', 'vendored'],
    ['vendor/github.com/x/y.go', 'vendored'],
    ['.git/config', 'vendored'],
    ['src/vendor.ts', 'read'],
    ['logo.png', 'binary'],
    ['a/report.PDF', 'binary'],
    ['jquery.min.js', 'minified'],
    ['theme-min.css', 'minified'],
    ['admin.js', 'read'],
    ['package-lock.json', 'generated'],
    ['sub/Cargo.lock', 'generated'],
    ['api/v1/service.pb.go', 'generated'],
    ['proto/a_pb2.py', 'generated'],
    ['app.js.map', 'generated'],
    ['__snapshots__/a.test.js.snap', 'generated'],
    ['roadmap', 'read'],
    ['.github/workflows/ci.yml', 'read'],
    ['.env', 'secret'],
    ['apps/web/.env.production', 'secret'],
    ['deploy/prod.env', 'secret'],
    ['.env.example', 'read'],
    ['.env.local.sample', 'read'],
    ['src/env.ts', 'read'],
    ['environment', 'read'],
    ['keys/id_ed25519', 'secret'],
    ['keys/id_ed25519.pub', 'read'],
    ['tls/server.pem', 'secret'],
    ['tls/server.KEY', 'secret'],
    ['src/key.ts', 'read'],
    ['.netrc', 'secret'],
    [`logs/ghp_${'a1B2c3D4e5F6'.repeat(3)}.txt`, 'secret'],
  ])('%s: %s', (path, expected) => {
    expect(decide(path)).toBe(expected);
  });

  it('leave out what is too large or was never fetched', () => {
    expect(selector().decide({ path: 'a.ts', size: 1_000 })).toBe('read');
    expect(selector().decide({ path: 'a.ts', size: 1_001 })).toBe('too_large');
    expect(selector().decide({ path: 'a.ts', size: null, tooLarge: true })).toBe('too_large');
  });

  it('yield to an include pattern that names what would be skipped, and to no other', () => {
    expect(decide('vendor/acme/a.go', { include: ['vendor/acme/**'] })).toBe('read');
    expect(decide('vendor/acme/a.go', { include: ['**/*.go'] })).toBe('vendored');
    expect(decide('a.min.js', { include: ['*.min.js'] })).toBe('read');
    expect(decide('a.min.js', { include: ['*.js'] })).toBe('minified');
    expect(decide('yarn.lock', { include: ['yarn.lock'] })).toBe('read');
    expect(decide('logo.png', { include: ['logo.png'] })).toBe('binary');
    expect(decide('a/.env.production', { include: ['**/.env.*'] })).toBe('read');
    expect(decide('a/.env.production', { include: ['a/**'] })).toBe('secret');
    expect(decide('tls/ca.pem', { include: ['tls/*.pem'] })).toBe('read');
    expect(decide('keys/id_rsa', { include: ['keys/id_rsa'] })).toBe('read');
  });

  it.each([
    ['**/*.pb.go', 'api/v1/service.pb.go', true],
    ['*.min.js', 'lib/a.min.js', true],
    ['go.mod', 'staging/go.mod', true],
    ['src/{gen,made}.ts', 'src/made.ts', true],
    ['**/*.go', 'api/v1/service.pb.go', false],
    ['src', 'src/gen.ts', false],
    ['src/', 'src/gen.ts', false],
    ['lib/*.min.js', 'src/a.min.js', false],
    ['src/gen.ts', 'src/gen.ts', true],
    ['src/*.ts', 'src/gen.ts', false],
  ])('asked for as %s, read %s whatever it holds: %s', async (pattern, path, expected) => {
    expect(await selector({ include: [pattern] }).isNamed(path, new TimeSlices())).toBe(expected);
  });

  it('come after the patterns of the source, whose excludes win', () => {
    expect(decide('a.md', { include: ['src'] })).toBe('unselected');
    expect(decide('src/a.md', { include: ['src'], exclude: ['*.md'] })).toBe('unselected');
    expect(decide('node_modules/a.js', { exclude: ['node_modules'] })).toBe('unselected');
  });

  it('refuse a pattern that cannot be used', () => {
    expect(() => selector({ include: ['[a]'] })).toThrow(RangeError);
  });
});

describe('folders that builders write', () => {
  const outputs = (paths: string[]) =>
    paths.filter((path) => selector({ paths }).decide({ path, size: 1 }) === 'vendored');

  it('are left out next to a build manifest when they contain nothing else', () => {
    const paths = [
      'package.json',
      'src/a.ts',
      'dist/a.js',
      'dist/sub/a.css',
      'build/a.js',
      'build/a.js.map',
    ];
    expect(outputs(paths)).toEqual(['dist/a.js', 'dist/sub/a.css', 'build/a.js', 'build/a.js.map']);
  });

  it('are kept when people write there', () => {
    expect(outputs(['package.json', 'build/tasks/release.js', 'build/lint.js'])).toEqual([]);
    expect(outputs(['package.json', 'dist/a.js', 'dist/a.ts'])).toEqual([]);
    expect(outputs(['pom.xml', 'src/main/target/Target.java'])).toEqual([]);
    expect(outputs(['dist/a.js'])).toEqual([]);
  });
});

describe('the skip counter', () => {
  it('counts by reason', () => {
    const counter = new SkipCounter();
    expect(counter.details()).toEqual({ files_skipped: 0 });
    for (const reason of ['binary', 'generated', 'binary'] as const) counter.add(reason);
    expect(counter.details()).toEqual({
      files_skipped: 3,
      files_skipped_binary: 2,
      files_skipped_generated: 1,
    });
  });
});
