import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

const MOST_FILE_BYTES = 2 * 1024 * 1024;
const MOST_ARCHIVE_BYTES = 2 * 1024 * 1024 * 1024;

/** A text file of a commit. */
export interface CommittedText {
  readonly path: string;
  /** Its text without the last line feed. */
  readonly content: string;
}

/**
 * Writes the wanted files of a commit to a folder and keeps its UTF-8 text files alone. Files over
 * 2 MiB, with NUL or with a byte order mark are removed.
 */
export function textFiles(
  repository: string,
  commit: string,
  folder: string,
  isWanted: (path: string) => boolean = () => true,
): readonly CommittedText[] {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = ['-C', repository, 'archive', '--format=tar', commit];
  const tar = spawnSync('git', archive, { maxBuffer: MOST_ARCHIVE_BYTES });
  if (tar.status !== 0) throw new Error(`git archive failed: ${String(tar.stderr)}`);
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: tar.stdout });
  if (unpacked.status !== 0) throw new Error(`tar failed: ${String(unpacked.stderr)}`);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .flatMap((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = relative(folder, file);
      const content = entry.isFile() && isWanted(path) ? textOf(file) : undefined;
      if (content === undefined) rmSync(file);
      return content === undefined ? [] : [{ path, content }];
    });
}

function textOf(file: string): string | undefined {
  if (statSync(file).size > MOST_FILE_BYTES) return undefined;
  const bytes = readFileSync(file);
  const text = bytes.toString();
  const isText = !bytes.includes(0) && Buffer.from(text).equals(bytes) && text[0] !== '\ufeff';
  return isText && text !== '' ? text.replace(/\n$/, '') : undefined;
}
