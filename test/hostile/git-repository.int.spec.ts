import { execFileSync } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { isStageFailure } from '#contracts';
import { openGitSnapshot } from '#ingest/git/open-git-snapshot';
import { SourceRepository } from '#test/support/source-repository';
import { tempDir } from '#test/support/temp-dir';

const MIB = 1024 * 1024;
/** Processor time of this thread for a repository that git's own processes read. */
const MAX_OWN_MS = 2_000;
const LIMITS = { maxFileBytes: 100_000, maxSourceBytes: 50 * MIB, maxSourceFiles: 5_000 };

describe('hostile repositories', () => {
  let repository: SourceRepository;
  let scratch: ReturnType<typeof tempDir>;
  beforeEach(() => {
    repository = new SourceRepository();
    scratch = tempDir();
  });
  afterEach(() => {
    repository.remove();
    scratch.remove();
  });

  const git = (words: readonly string[], input?: string | Buffer): string =>
    execFileSync('git', words, {
      cwd: repository.folder,
      maxBuffer: 64 * MIB,
      ...(input !== undefined && { input }),
    })
      .toString()
      .trim();
  const blob = (content: string | Buffer): string =>
    `100644 blob ${git(['hash-object', '-w', '--stdin'], content)}`;
  const tree = (entries: readonly string[]): string =>
    `040000 tree ${git(['mktree', '-z'], entries.map((entry) => `${entry}\0`).join(''))}`;
  const commit = (root: string, message = 'hostile'): string => {
    const who = ['-c', 'user.name=x', '-c', 'user.email=x@y'];
    const id = git([...who, 'commit-tree', root.split(' ')[2] ?? '', '-F', '-'], message);
    git(['update-ref', 'refs/heads/main', id]);
    return id;
  };

  const SHAPES: Readonly<Record<string, () => void>> = {
    'folders within folders, 3,000 deep': () => {
      let root = tree([`${blob('x')}\tfile`]);
      for (let level = 0; level < 3_000; level += 1) root = tree([`${root}\td`]);
      commit(root);
    },
    'a folder of 50,000 files': () => {
      const one = blob('x');
      const names = Array.from({ length: 50_000 }, (_, at) => `${one}\t${at}`).sort();
      commit(tree(names));
    },
    'a file of 200 MB of zeros': () => {
      commit(tree([`${blob(Buffer.alloc(200 * MIB))}\tzeros.txt`, `${blob('x')}\ta.txt`]));
    },
    'names of 4,000 bytes': () => {
      const one = blob('x');
      const names = Array.from({ length: 2_000 }, (_, at) => `${one}\t${'n'.repeat(3_990)}${at}`);
      commit(tree(names.sort()));
    },
    'names with line breaks, quotes and controls': () => {
      const one = blob('x');
      commit(tree(['a\nb', 'a\tb', '"q"', '\u0001', ' '].sort().map((name) => `${one}\t${name}`)));
    },
    'a commit message of 10 MB': () => {
      commit(tree([`${blob('x')}\ta.txt`]), 'message '.repeat(1_300_000));
    },
    '100,000 refs': () => {
      const id = commit(tree([`${blob('x')}\ta.txt`]));
      const packed = join(repository.folder, '.git', 'packed-refs');
      writeFileSync(packed, '# pack-refs with: peeled fully-peeled sorted \n');
      const lines = Array.from({ length: 100_000 }, (_, at) => `${id} refs/heads/b/${at}`);
      appendFileSync(packed, `${lines.sort().join('\n')}\n`);
    },
  };

  it.each(Object.entries(SHAPES))(
    'are read or rejected for good, at little cost to this process: %s',
    async (_, make) => {
      make();
      const before = process.threadCpuUsage();
      const outcome: unknown = await openGitSnapshot({
        url: repository.url,
        directory: join(scratch.path, 'repo.git'),
        limits: LIMITS,
        allowPrivateNetworks: true,
        fileUrls: { below: ['/'], except: '/nonexistent' },
        timeoutMs: 100_000,
      }).then(
        async (snapshot) => {
          const { entries } = snapshot;
          const readable = entries.filter(({ tooLarge }) => tooLarge !== true);
          let bytes = 0;
          for await (const part of snapshot.read(readable.map(({ oid }) => oid)))
            bytes += part.bytes.length;
          await snapshot.close();
          return bytes;
        },
        (error: unknown) => error,
      );
      const { user, system } = process.threadCpuUsage(before);
      if (typeof outcome === 'number') {
        expect(outcome).toBeLessThanOrEqual(LIMITS.maxSourceBytes);
      } else {
        if (!isStageFailure(outcome)) throw outcome;
        expect(outcome.retryable).toBe(false);
        expect(outcome.message).toMatch(/ has (more|longer|a path) /);
      }
      expect((user + system) / 1_000).toBeLessThan(MAX_OWN_MS);
    },
    // One of them starts git 3,000 times first.
    300_000,
  );
});
