import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

import type { RoverResult } from '#contracts';

const MOST_BYTES = 1 << 28;

/**
 * Compares citations with the bytes of their commits. The benches index files as they are: no sync
 * replaces secrets by markers.
 */
export class CitationBytes {
  private readonly files = new Map<string, string>();
  compared = 0;
  /** `owner/name path:line` of each citation that differs. */
  readonly different: string[] = [];

  /** @param repos folder of git repositories as `<owner>/<name>` */
  constructor(private readonly repos: string) {}

  /** Compares the citations of one answer: text at its lines, and its hash. */
  compare({ citations }: Pick<RoverResult, 'citations'>): void {
    for (const { repo, version_ref, path, start_line, content, sha256 } of citations) {
      const lines = this.fileOf(repo, version_ref, path).split('\n');
      const from = lines.slice((start_line ?? 1) - 1).join('\n');
      const isSame = start_line === undefined ? from.includes(content) : startsWith(from, content);
      const hash = createHash('sha256').update(content).digest('hex');
      this.compared += 1;
      if (!isSame || hash !== sha256) this.different.push(`${repo} ${path}:${start_line ?? ''}`);
    }
  }

  private fileOf(repo: string, commit: string, path: string): string {
    const key = `${repo}\n${commit}\n${path}`;
    const read = this.files.get(key);
    if (read !== undefined) return read;
    const text = execFileSync(
      'git',
      ['-c', 'safe.directory=*', 'cat-file', 'blob', `${commit}:${path}`],
      { cwd: join(this.repos, repo), encoding: 'utf8', maxBuffer: MOST_BYTES, timeout: 60_000 },
    );
    this.files.set(key, text);
    return text;
  }
}

/** A chunk may begin within its first line. */
function startsWith(text: string, content: string): boolean {
  const firstLine = text.indexOf('\n');
  const at = text.indexOf(content);
  return at !== -1 && (firstLine === -1 || at <= firstLine);
}
