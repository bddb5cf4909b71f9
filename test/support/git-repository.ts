import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Footnote tests',
  GIT_AUTHOR_EMAIL: 'tests@example.com',
  GIT_COMMITTER_NAME: 'Footnote tests',
  GIT_COMMITTER_EMAIL: 'tests@example.com',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
};

/** A git repository made for a test. */
export class TestRepository {
  /** Lines of files at commits, which never change. */
  private readonly read = new Map<string, readonly string[]>();

  private constructor(readonly path: string) {}

  /** Makes a repository on branch `main`; with `files` it has one commit. */
  static create(path: string, files?: Readonly<Record<string, string>>): TestRepository {
    mkdirSync(path, { recursive: true });
    const repository = new TestRepository(path);
    repository.git('init', '--quiet', '--initial-branch=main');
    if (files) repository.commit(files);
    return repository;
  }

  get url(): string {
    return pathToFileURL(this.path).href;
  }

  /** Writes files (null deletes one), commits everything and returns the commit id. */
  commit(files: Readonly<Record<string, string | null>>, message = 'Change'): string {
    for (const [name, content] of Object.entries(files)) {
      const path = join(this.path, name);
      if (content === null) {
        rmSync(path, { force: true });
      } else {
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      }
    }
    this.git('add', '--all');
    this.git('commit', '--quiet', '--allow-empty', '--message', message);
    return this.git('rev-parse', 'HEAD').trim();
  }

  /** Runs git in the repository and returns its output. */
  git(...words: string[]): string {
    return execFileSync('git', ['-C', this.path, ...words], {
      encoding: 'utf8',
      env: { ...process.env, ...IDENTITY },
      maxBuffer: 64 * 1024 * 1024,
    });
  }

  /**
   * Lines `from` to `to` (1-based, inclusive) of a file at a commit, given by its id, without the
   * newline that ends the last of them.
   */
  lines(commit: string, path: string, from: number, to: number): string {
    const file = `${commit}:${path}`;
    let lines = this.read.get(file);
    if (!lines) {
      const text = execFileSync('git', ['-C', this.path, 'show', file], {
        maxBuffer: 64 * 1024 * 1024,
      });
      this.read.set(file, (lines = text.toString('utf8').split('\n')));
    }
    return lines.slice(from - 1, to).join('\n');
  }
}
