import { StageFailure } from '#contracts';

import { spellPath } from './git-path.js';

/** Regular file of a commit. */
export interface GitEntry {
  /** Path from the repository's root, as `spellPath` spells its bytes. */
  readonly path: string;
  /** Blob id. */
  readonly oid: string;
  /** Bytes; `null` if the server omitted the blob because of its size. */
  readonly size: number | null;
  /** Set if the file exceeds `maxFileBytes`; its content cannot be read. */
  readonly tooLarge?: true;
}

export interface GitTree {
  readonly entries: readonly GitEntry[];
  /**
   * Number of omitted links. A link's target is outside this repository or listed under its own
   * path.
   */
  readonly symlinks: number;
  readonly submodules: number;
}

export interface GitTreeLimits {
  readonly maxFileBytes: number;
  /**
   * Maximum number of files in a tree, links and submodules included. The same limit applies to
   * folders.
   */
  readonly maxSourceFiles: number;
}

/** Maximum length of a path in bytes: the limit of Linux. */
const MAX_PATH = 4_096;
/**
 * Maximum bytes of all paths together, per allowed file. `MIN_PATH_BYTES` is the minimum of this
 * limit, so that a few long paths fit.
 */
const PATH_BYTES_PER_FILE = 512;
const MIN_PATH_BYTES = 64 * 1024;
/** Maximum length of the mode, type, ID and size before the path. */
const MAX_HEADER = 256;

/** Error for a tree that exceeds its limits. A retry or a new fetch would have the same result. */
export class GitTreeLimitError extends StageFailure {}

/**
 * Parser of the output of `git ls-tree -r -t -l -z` as it arrives: `<mode> <type> <oid> <size
 * padded>\t<path>\0`. A few objects can list any number of paths, so memory stays within the
 * limits.
 */
export class GitTreeReader implements GitTree {
  readonly entries: GitEntry[] = [];
  symlinks = 0;
  submodules = 0;
  private folders = 0;
  private pathBytes = 0;
  /** Start of a record whose end has not arrived yet. */
  private held: Buffer = Buffer.alloc(0);

  constructor(
    private readonly url: string,
    private readonly limits: GitTreeLimits,
  ) {}

  /** Parses the next output. @throws GitTreeLimitError as soon as a limit is exceeded. */
  push(data: Buffer): void {
    const bytes = this.held.length === 0 ? data : Buffer.concat([this.held, data]);
    let start = 0;
    for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0, start)) {
      this.take(bytes.subarray(start, end));
      start = end + 1;
    }
    this.held = Buffer.from(bytes.subarray(start));
    if (this.held.length > MAX_HEADER + MAX_PATH) throw this.tooLong();
  }

  private take(record: Buffer): void {
    const tab = record.indexOf(9);
    if (tab === -1) return;
    const [mode = '', , oid = '', measured = ''] = record.toString('latin1', 0, tab).split(/ +/);
    const path = record.subarray(tab + 1);
    if (path.length > MAX_PATH) throw this.tooLong();
    if (mode === '040000') this.folders += 1;
    else if (mode === '120000') this.symlinks += 1;
    else if (mode === '160000') this.submodules += 1;
    else if (mode.startsWith('100'))
      this.add(path, oid, /^\d+$/.test(measured) ? Number(measured) : null);
    this.requireFew();
  }

  private add(bytes: Buffer, oid: string, size: number | null): void {
    const path = spellPath(bytes);
    this.pathBytes += bytes.length;
    const tooLarge = size === null || size > this.limits.maxFileBytes;
    this.entries.push(tooLarge ? { path, oid, size, tooLarge } : { path, oid, size });
  }

  private requireFew(): void {
    const { maxSourceFiles } = this.limits;
    const files = this.entries.length + this.symlinks + this.submodules;
    if (files > maxSourceFiles)
      throw this.exceeded(`has more files than MAX_SOURCE_FILES (${maxSourceFiles}) allows`);
    if (this.folders > maxSourceFiles) {
      throw this.exceeded(`has more folders than MAX_SOURCE_FILES (${maxSourceFiles}) allows`);
    }
    if (this.pathBytes > Math.max(MIN_PATH_BYTES, maxSourceFiles * PATH_BYTES_PER_FILE)) {
      throw this.exceeded(
        `has longer paths in all than MAX_SOURCE_FILES (${maxSourceFiles}) allows`,
      );
    }
  }

  private tooLong(): GitTreeLimitError {
    return this.exceeded(`has a path of more than ${MAX_PATH} bytes`);
  }

  private exceeded(what: string): GitTreeLimitError {
    return new GitTreeLimitError(`${this.url} ${what}`, false, {
      url: this.url,
      too_large: true,
    });
  }
}
