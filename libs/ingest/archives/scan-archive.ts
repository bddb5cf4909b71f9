import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';

import type { ArchiveEntry, ArchiveLimits } from './archive-entry.js';
import { ArchiveRefusedError } from './archive-refused.js';
import { ContentSpool, type Spooled } from './content-spool.js';
import { entryPath, hostile, leadsInside, shown } from './entry-path.js';
import { tarEntries } from './tar-entries.js';
import { zipEntries } from './zip-entries.js';

export type ArchiveFormat = 'tar.gz' | 'zip';

export interface ScanOptions {
  readonly format: ArchiveFormat;
  readonly limits: ArchiveLimits;
  /**
   * Prefix that is removed from every path: `true` for one folder of any name, or that exact text.
   */
  readonly strip?: true | string | undefined;
  /**
   * Returns true for a file that may be needed, by its path without the prefix. Other files are
   * listed and not read.
   */
  readonly wants: (path: string) => boolean;
  /** Path for the content, which does not exist yet. */
  readonly spool: string;
  readonly signal: AbortSignal;
}

/** File of an archive. */
export interface ArchiveFile {
  readonly path: string;
  readonly size: number;
  /** SHA-256 of the content in hex, and its location; null if the content was not read. */
  readonly content: (Spooled & { readonly hash: string }) | null;
}

/** Kind of entry that is not read as a file. */
export type OddEntry = 'link' | 'name' | 'duplicate' | 'outside';

export interface ScannedArchive {
  /** Files in path order. */
  readonly files: readonly ArchiveFile[];
  /**
   * Number of skipped entries: links, unreadable names, earlier entries of the same path, and files
   * outside the top folder.
   */
  readonly odd: Readonly<Record<OddEntry, number>>;
  read(file: ArchiveFile): Promise<Uint8Array>;
  close(): Promise<void>;
}

/**
 * Reads an archive once, entry by entry. Stores the content of the files that may be needed in one
 * file of our own. Nothing is ever written under a name from the archive. Of two files with the
 * same path the later one counts, as in an installer.
 *
 * @throws ArchiveRefusedError, without any remaining file, for an archive that is damaged, too
 * large or hostile. An archive is hostile if it contains absolute paths, `..`, links to the
 * outside, or devices.
 */
export async function scanArchive(file: string, options: ScanOptions): Promise<ScannedArchive> {
  const { format, limits } = options;
  const spool = await ContentSpool.create(options.spool);
  try {
    const { size } = await stat(file);
    if (size === 0) throw new ArchiveRefusedError('broken', 'is empty');
    const entries =
      format === 'zip' ? zipEntries(file, limits, size) : tarEntries(file, limits.maxUnpackedBytes);
    const found = await scan(entries, spool, options);
    await spool.finish();
    return {
      ...found,
      read: ({ content }) => contentOf(spool, content),
      close: () => spool.close(),
    };
  } catch (error) {
    await spool.close();
    throw error;
  }
}

function contentOf(spool: ContentSpool, content: ArchiveFile['content']): Promise<Uint8Array> {
  if (content === null) throw new Error('The file was not read from its archive');
  return spool.read(content);
}

async function scan(
  entries: AsyncIterable<ArchiveEntry>,
  spool: ContentSpool,
  { limits, strip, wants, signal }: ScanOptions,
): Promise<Pick<ScannedArchive, 'files' | 'odd'>> {
  const files = new Map<string, ArchiveFile>();
  const odd = { link: 0, name: 0, duplicate: 0, outside: 0 };
  let fileCount = 0;
  let otherCount = 0;
  for await (const entry of entries) {
    signal.throwIfAborted();
    const path = entry.name === null ? null : entryPath(entry.name);
    requireHarmless(entry, path);
    if (entry.kind === 'file') fileCount += 1;
    else otherCount += 1;
    if (fileCount > limits.maxFiles || otherCount > limits.maxFiles) throw tooMany(limits);
    if (entry.kind === 'folder') continue;
    const inner = path === null ? null : stripped(path, strip);
    if (entry.kind === 'link') odd.link += 1;
    else if (path === null) odd.name += 1;
    else if (inner === null) odd.outside += 1;
    else {
      if (files.has(inner)) odd.duplicate += 1;
      const isWanted = entry.size <= limits.maxFileBytes && wants(inner);
      files.set(inner, {
        path: inner,
        size: entry.size,
        content: isWanted ? await spooled(entry, spool) : null,
      });
    }
  }
  return { files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)), odd };
}

function requireHarmless({ kind, link, name }: ArchiveEntry, path: string | null): void {
  if (kind === 'other')
    throw hostile(`${shown(name ?? '')}, which is neither a file, a folder nor a link`);
  if (link !== undefined && path !== null && !leadsInside(path, link)) {
    throw hostile(`the link ${shown(path)}, which leads out of it`);
  }
}

function tooMany({ maxFiles, maxFilesName }: ArchiveLimits): ArchiveRefusedError {
  const most = maxFilesName === undefined ? `${maxFiles}` : `${maxFilesName} (${maxFiles}) allows`;
  return new ArchiveRefusedError('too_large', `has more files or folders than ${most}`);
}

function stripped(path: string, strip: ScanOptions['strip']): string | null {
  if (strip === undefined) return path;
  if (strip === true) {
    const at = path.indexOf('/');
    return at === -1 ? null : path.slice(at + 1);
  }
  return path.startsWith(strip) && path.length > strip.length ? path.slice(strip.length) : null;
}

async function spooled(entry: ArchiveEntry, spool: ContentSpool): Promise<ArchiveFile['content']> {
  const parts: Uint8Array[] = [];
  for await (const part of entry.content()) parts.push(part);
  const bytes = Buffer.concat(parts);
  if (bytes.byteLength !== entry.size)
    throw new ArchiveRefusedError('broken', 'lies about the size of what it holds');
  return { ...(await spool.add(bytes)), hash: createHash('sha256').update(bytes).digest('hex') };
}
