import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import { SourceRepository } from '#test/support/source-repository';
import { tempDir } from '#test/support/temp-dir';

import { GitTreeLimitError, GitTreeReader } from './git-tree.js';
import { openGitSnapshot } from './open-git-snapshot.js';

const LIMITS = { maxFileBytes: 1_000, maxSourceBytes: 1_000_000, maxSourceFiles: 5_000 };

describe('a tree bomb', () => {
  let repository: SourceRepository;
  let scratch: ReturnType<typeof tempDir>;
  beforeEach(() => {
    repository = new SourceRepository();
    scratch = tempDir();
  });
  afterEach(() => {
    jest.restoreAllMocks();
    repository.remove();
    scratch.remove();
  });

  function tree(...entries: readonly string[]): string {
    const input = entries.map((entry) => `${entry}\0`).join('');
    return execFileSync('git', ['mktree', '-z'], { cwd: repository.folder, input })
      .toString()
      .trim();
  }

  /**
   * Commits a tree that contains one tree ten times, which does the same at each level: 10^levels
   * paths from a few objects.
   */
  function bomb(levels: number, innermost: string): string {
    let id = innermost;
    for (let level = 0; level < levels; level += 1) {
      id = tree(...Array.from({ length: 10 }, (_, index) => `040000 tree ${id}\t${index}`));
    }
    const commit = repository.git(
      '-c',
      'user.name=x',
      '-c',
      'user.email=x@y',
      'commit-tree',
      id,
      '-m',
      'bomb',
    );
    repository.git('update-ref', 'refs/heads/main', commit);
    return commit;
  }

  function aFile(): string {
    const blob = execFileSync('git', ['hash-object', '-w', '--stdin'], {
      cwd: repository.folder,
      input: 'x',
    });
    return tree(`100644 blob ${blob.toString().trim()}\tfile`);
  }

  const opened = (maxSourceFiles = LIMITS.maxSourceFiles) =>
    openGitSnapshot({
      url: repository.url,
      directory: join(scratch.path, 'repo.git'),
      limits: { ...LIMITS, maxSourceFiles },
      allowPrivateNetworks: true,
      fileUrls: { below: ['/'], except: '/nonexistent' },
      timeoutMs: 20_000,
    });
  const failureOf = (attempt: Promise<unknown>): Promise<unknown> =>
    attempt.then(
      () => 'no error',
      (error: unknown) => error,
    );

  it.each([
    ['files', aFile],
    ['folders without a file', () => tree()],
  ])(
    'of a million %s fails for good and names the variable, with hardly more read than is allowed',
    async (_, make) => {
      bomb(6, make());
      const push = jest.spyOn(GitTreeReader.prototype, 'push');
      expect(await failureOf(opened())).toMatchObject({
        name: 'StageFailure',
        retryable: false,
        message: expect.stringMatching(
          /has more (files|folders) than MAX_SOURCE_FILES \(5000\) allows$/,
        ),
        details: { url: repository.url },
      });
      // A million paths take 70 MB.
      const read = push.mock.calls.reduce((sum, [data]) => sum + data.length, 0);
      expect(read).toBeGreaterThan(100_000);
      expect(read).toBeLessThan(2_000_000);
    },
  );

  it('is also rejected in a cached repository, which remains for the next sync', async () => {
    bomb(3, aFile());
    expect((await opened()).entries).toHaveLength(1_000);
    const mark = join(scratch.path, 'repo.git', 'footnote.json');
    const before = statSync(mark).ino;
    expect(await failureOf(opened(999))).toBeInstanceOf(GitTreeLimitError);
    expect(statSync(mark).ino).toBe(before);
    expect((await opened()).entries).toHaveLength(1_000);
  });
});

describe('a listing', () => {
  const record = (path: string | Buffer) =>
    Buffer.concat([
      Buffer.from(`100644 blob ${'1'.repeat(40)}       1\t`),
      Buffer.from(path),
      Buffer.of(0),
    ]);

  it('is the same however the output is split', () => {
    const output = Buffer.concat([
      record('a'),
      record(Buffer.from('caf\xe9', 'latin1')),
      record('ü/👋.md'),
    ]);
    for (let size = 1; size <= output.length; size += 1) {
      const reader = new GitTreeReader('url', LIMITS);
      for (let at = 0; at < output.length; at += size) reader.push(output.subarray(at, at + size));
      expect(reader.entries.map(({ path }) => path)).toEqual(['a', 'caf\uFFFDE9', 'ü/👋.md']);
    }
  });

  it('rejects a path over the limit of the file system, complete or not', () => {
    const push = (data: Buffer) => () => new GitTreeReader('url', LIMITS).push(data);
    expect(push(record('x'.repeat(4_096)))).not.toThrow();
    expect(push(record('x'.repeat(4_097)))).toThrow('url has a path of more than 4096 bytes');
    expect(push(record('x'.repeat(10_000)).subarray(0, 9_000))).toThrow(
      'url has a path of more than 4096 bytes',
    );
  });

  it('rejects more bytes of paths than the number of files allows', () => {
    const reader = new GitTreeReader('url', LIMITS);
    const long = record('x'.repeat(4_000));
    const all = () => {
      for (let count = 0; count < LIMITS.maxSourceFiles; count += 1) reader.push(long);
    };
    expect(all).toThrow('url has longer paths in all than MAX_SOURCE_FILES (5000) allows');
    expect(reader.entries.length).toBe(641);
  });
});
