import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * A throw-away repository with a work tree, made with the system's git and none of its settings.
 */
export class SourceRepository {
  readonly folder: string;

  constructor(branch = 'main') {
    this.folder = mkdtempSync(join(tmpdir(), 'footnote-repo-'));
    this.git('init', '--quiet', `--initial-branch=${branch}`);
    this.git('config', 'uploadpack.allowFilter', 'true');
  }

  get url(): string {
    return pathToFileURL(this.folder).href;
  }

  git(...parameters: string[]): string {
    return execFileSync('git', parameters, {
      cwd: this.folder,
      env: ENVIRONMENT,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
      .toString()
      .trim();
  }

  /** Bytes of a file at a commit, as `git show` gives them. */
  show(commit: string, path: string): Buffer {
    return execFileSync('git', ['show', `${commit}:${path}`], {
      cwd: this.folder,
      env: ENVIRONMENT,
    });
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), content);
  }

  link(path: string, target: string): void {
    symlinkSync(target, join(this.folder, path));
  }

  /** Commits everything in the work tree. @returns the commit's id. */
  commit(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
    for (const [path, content] of Object.entries(files)) this.write(path, content);
    this.git('add', '--all', '--force');
    this.git('commit', '--quiet', '--allow-empty', '--message', 'change');
    return this.git('rev-parse', 'HEAD');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

const ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.org',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.org',
};
