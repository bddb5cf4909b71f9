import { BadSectionsError } from '../../pack/sections.js';
import { openSegment, type Segment } from './segment.js';
import type { SegmentFolder } from './segment-folder.js';
import { SegmentTexts } from './segment-texts.js';
import type { VectorArena } from './vector-arena.js';

export type ReadBlob = (hash: string) => Promise<Uint8Array>;

/** Rejects reads of packs, for an index that has no source to repair a segment's file from. */
export function refuseBlob(hash: string): Promise<Uint8Array> {
  return Promise.reject(new Error(`segment ${hash} must be rebuilt, but its pack cannot be read`));
}

/** Decompressed text that all segments together keep for the next search. */
const TEXT_CACHE_BYTES = 16 * 1024 * 1024;

/**
 * Open segments with the number of generations that hold each; generations of one source share
 * their packs.
 */
export class SegmentPool {
  private readonly open = new Map<string, { segment: Segment; holders: number }>();
  private readonly texts = new SegmentTexts(TEXT_CACHE_BYTES);

  constructor(
    private folder: SegmentFolder,
    private readonly arena: VectorArena,
  ) {}

  /**
   * Opens a segment or adds a holder to an open one. A file that is missing, damaged or of another
   * format is rewritten from its pack.
   * @param folder of a segment that is not open yet; default: the pool's.
   * @throws errors of `readBlob`; BadSectionsError if the pack itself is invalid.
   */
  async acquire(
    tenantId: string,
    hash: string,
    readBlob: ReadBlob,
    folder = this.folder,
  ): Promise<Segment> {
    const key = `${tenantId}/${hash}`;
    const known = this.open.get(key);
    if (known) {
      known.holders++;
      return known.segment;
    }
    const segment =
      this.tryOpen(folder, tenantId, hash) ??
      (await this.rebuild(folder, tenantId, hash, readBlob));
    this.open.set(key, { segment, holders: 1 });
    return segment;
  }

  /** Releases a segment; after its last holder, its file is removed. */
  async release(tenantId: string, hash: string): Promise<void> {
    const key = `${tenantId}/${hash}`;
    const known = this.open.get(key);
    if (!known || --known.holders > 0) return;
    this.open.delete(key);
    known.segment.close();
    await this.folder.removeSegment(tenantId, hash);
  }

  /** Rewrites the file of an open segment from its pack. */
  async repair(tenantId: string, hash: string, readBlob: ReadBlob): Promise<void> {
    const known = this.open.get(`${tenantId}/${hash}`);
    if (!known) return;
    await this.folder.writeSegment(tenantId, hash, await readBlob(hash));
    known.segment.reopen(this.folder.segmentFile(tenantId, hash));
  }

  /** Uses another folder from now on; open segments continue in their files there. */
  moveTo(folder: SegmentFolder): void {
    this.folder = folder;
    for (const [key, { segment }] of this.open) {
      const [tenantId = '', hash = ''] = key.split('/');
      if (folder.hasSegment(tenantId, hash)) segment.reopen(folder.segmentFile(tenantId, hash));
    }
  }

  holds(tenantId: string, hash: string): boolean {
    return this.open.has(`${tenantId}/${hash}`);
  }

  close(): void {
    for (const { segment } of this.open.values()) segment.close();
    this.open.clear();
  }

  private tryOpen(folder: SegmentFolder, tenantId: string, hash: string): Segment | undefined {
    if (!folder.hasSegment(tenantId, hash)) return undefined;
    try {
      return openSegment(folder.segmentFile(tenantId, hash), hash, this.arena, this.texts);
    } catch (error) {
      if (error instanceof BadSectionsError) return undefined;
      throw error;
    }
  }

  private async rebuild(
    folder: SegmentFolder,
    tenantId: string,
    hash: string,
    readBlob: ReadBlob,
  ): Promise<Segment> {
    await folder.writeSegment(tenantId, hash, await readBlob(hash));
    return openSegment(folder.segmentFile(tenantId, hash), hash, this.arena, this.texts);
  }
}
