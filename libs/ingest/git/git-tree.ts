import { StageFailure } from '#contracts';

import { spellPath } from './git-path.js';

/** One regular file of a commit. */
export interface GitEntry {
  /** Path from the repository's root, as `spellPath` spells its bytes. */
  readonly path: string;
  /** Blob id. */
  readonly oid: string;
  /** Bytes; `null` where the server left the blob out for its size. */
  readonly size: number | null;
  /** Over `maxFileBytes`; its content cannot be read. */
  readonly tooLarge?: true;
}

export interface GitTree {
  readonly entries: readonly GitEntry[];
  /**
   * Left out: what a link points to is not this repository's content, or is listed under its own
   * path.
   */
  readonly symlinks: number;
  readonly submodules: number;
}

export interface GitTreeLimits {
  readonly maxFileBytes: number;
  /** Most files of a tree, links and submodules included; it may have as many folders. */
  readonly maxSourceFiles: number;
}

/** Longest path, bytes: what Linux takes. */
const MAX_PATH = 4_096;
/**
 * All paths together may have so many bytes for each file that is allowed, and never fewer than
 * some long paths.
 */
const PATH_BYTES_PER_FILE = 512;
const MIN_PATH_BYTES = 64 * 1024;
/** Mode, type, id and size before the path. */
const MAX_HEADER = 256;

/** A tree has more than one may have. Trying again, or fetching anew, would find the same. */
export class GitTreeLimitError extends StageFailure {}

/**
 * Reads the output of `git ls-tree -r -t -l -z` as it comes:
 * `<mode> <type> <oid> <size padded>\t<path>\0`. A few objects can list any number of paths, so
 * nothing is held beyond the limits.
 */
export class GitTreeReader implements GitTree {
  readonly entries: GitEntry[] = [];
  symlinks = 0;
  submodules = 0;
  private folders = 0;
  private pathBytes = 0;
  /** The beginning of a record whose end has not come yet. */
  private held: Buffer = Buffer.alloc(0);

  constructor(
    private readonly url: string,
    private readonly limits: GitTreeLimits,
  ) {}

  /** @throws GitTreeLimitError as soon as a limit is passed. */
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
    return new GitTreeLimitError(`${this.url} ${what}`, false, { url: this.url });
  }
}
