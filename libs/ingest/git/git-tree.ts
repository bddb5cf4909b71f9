/** One regular file of a commit. */
export interface GitEntry {
  /** Path from the repository's root; bytes that are not UTF-8 show as U+FFFD. */
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
  /** Left out: what a link points to is not this repository's content, or is listed under its own path. */
  readonly symlinks: number;
  readonly submodules: number;
}

/** Reads the output of `git ls-tree -r -l -z`: `<mode> <type> <oid> <size padded>\t<path>\0`. */
export function parseGitTree(output: Buffer, maxFileBytes: number): GitTree {
  const entries: GitEntry[] = [];
  let symlinks = 0;
  let submodules = 0;
  for (const record of output.toString('utf8').split('\0')) {
    const tab = record.indexOf('\t');
    if (tab === -1) continue;
    const [mode = '', , oid = '', measured = ''] = record.slice(0, tab).split(/ +/);
    const path = record.slice(tab + 1);
    if (mode === '120000') symlinks += 1;
    else if (mode === '160000') submodules += 1;
    else if (mode.startsWith('100')) {
      const size = /^\d+$/.test(measured) ? Number(measured) : null;
      entries.push(size === null || size > maxFileBytes ? { path, oid, size, tooLarge: true } : { path, oid, size });
    }
  }
  return { entries, symlinks, submodules };
}
