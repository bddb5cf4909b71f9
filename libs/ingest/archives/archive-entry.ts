/** Entry of an archive as it arrives; none of it is trusted yet. */
export interface ArchiveEntry {
  /** Name as the archive spells it; null if it is not UTF-8. */
  readonly name: string | null;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Bytes of a file, according to the archive. */
  readonly size: number;
  /**
   * Target of a link, and the folder that it is relative to. A symbolic link is relative to its own
   * folder, a hard link to the archive's top.
   */
  readonly link?: { readonly target: string; readonly from: 'folder' | 'top' };
  /** Returns the content, once, before the next entry is requested. Unread content is skipped. */
  content(): AsyncIterable<Uint8Array>;
}

export interface ArchiveLimits {
  /** Maximum number of files; the same limit applies to folders and links together. */
  readonly maxFiles: number;
  /** Variable that sets the limit on files, if there is one. */
  readonly maxFilesName?: string;
  /** Maximum bytes of the whole unpacked archive, read or not. */
  readonly maxUnpackedBytes: number;
  /** Maximum bytes of a file; larger files are listed and not read. */
  readonly maxFileBytes: number;
}

/**
 * Maximum ratio of unpacked to packed size. Code never compresses better. Small archives are
 * exempt.
 */
export const MOST_RATIO = 100;
export const FREE_BYTES = 1024 * 1024;
