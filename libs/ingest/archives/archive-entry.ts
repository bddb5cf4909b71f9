/** What an archive holds, as it comes; nothing of it is trusted yet. */
export interface ArchiveEntry {
  /** As the archive writes it; null where that is not UTF-8. */
  readonly name: string | null;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes of a file, as the archive says. */
  readonly size: number;
  /**
   * Of a link: where it leads, and what from. A symbolic link is read from its own folder, a hard
   * link from the archive's top.
   */
  readonly link?: { readonly target: string; readonly from: 'folder' | 'top' };
  /** The content, once, before the next entry is asked for. What is not read is passed over. */
  content(): AsyncIterable<Uint8Array>;
}

export interface ArchiveLimits {
  /** Most files, and as many folders and links. */
  readonly maxFiles: number;
  /** Names the limit on files where a variable sets it. */
  readonly maxFilesName?: string;
  /** Most bytes of all that the archive unpacks to, read or not. */
  readonly maxUnpackedBytes: number;
  /** Larger files are listed and not read. */
  readonly maxFileBytes: number;
}

/**
 * Unpacking to more than that many times the packed size is no compression of code; small archives
 * aside.
 */
export const MOST_RATIO = 100;
export const FREE_BYTES = 1024 * 1024;
