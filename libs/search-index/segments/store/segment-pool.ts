import { BadSectionsError } from '../../pack/sections.js';
import { TextBlockCache } from '../../pack/text-blocks.js';
import type { SegmentFolder } from './segment-folder.js';
import { openSegment, type Segment } from './segment.js';
import type { VectorArena } from './vector-arena.js';

export type ReadBlob = (hash: string) => Promise<Uint8Array>;

/** Decompressed text that all segments together keep for the next search. */
const TEXT_CACHE_BYTES = 16 * 1024 * 1024;

/** Open segments with a count of the generations that hold each; generations of one source share their packs. */
export class SegmentPool {
  private readonly open = new Map<string, { segment: Segment; holders: number }>();
  private readonly texts = new TextBlockCache(TEXT_CACHE_BYTES);

  constructor(
    private readonly folder: SegmentFolder,
    private readonly arena: VectorArena,
  ) {}

  /**
   * Opens a segment or takes part in an open one. A file that is missing, damaged or of another format is written anew
   * from its pack. @throws whatever `readBlob` throws; BadSectionsError when the pack itself is no good.
   */
  async acquire(tenantId: string, hash: string, readBlob: ReadBlob): Promise<Segment> {
    const key = `${tenantId}/${hash}`;
    const known = this.open.get(key);
    if (known) {
      known.holders++;
      return known.segment;
    }
    const segment = this.tryOpen(tenantId, hash) ?? (await this.rebuild(tenantId, hash, readBlob));
    this.open.set(key, { segment, holders: 1 });
    return segment;
  }

  /** Gives a segment back; the last holder's leaving removes its file. */
  async release(tenantId: string, hash: string): Promise<void> {
    const key = `${tenantId}/${hash}`;
    const known = this.open.get(key);
    if (!known || --known.holders > 0) return;
    this.open.delete(key);
    known.segment.close();
    await this.folder.removeSegment(tenantId, hash);
  }

  /** Writes the file of an open segment anew from its pack. */
  async mend(tenantId: string, hash: string, readBlob: ReadBlob): Promise<void> {
    const known = this.open.get(`${tenantId}/${hash}`);
    if (!known) return;
    await this.folder.writeSegment(tenantId, hash, await readBlob(hash));
    known.segment.reopen();
  }

  holds(tenantId: string, hash: string): boolean {
    return this.open.has(`${tenantId}/${hash}`);
  }

  close(): void {
    for (const { segment } of this.open.values()) segment.close();
    this.open.clear();
  }

  private tryOpen(tenantId: string, hash: string): Segment | undefined {
    if (!this.folder.hasSegment(tenantId, hash)) return undefined;
    try {
      return openSegment(this.folder.segmentFile(tenantId, hash), hash, this.arena, this.texts);
    } catch (error) {
      if (error instanceof BadSectionsError) return undefined;
      throw error;
    }
  }

  private async rebuild(tenantId: string, hash: string, readBlob: ReadBlob): Promise<Segment> {
    await this.folder.writeSegment(tenantId, hash, await readBlob(hash));
    return openSegment(this.folder.segmentFile(tenantId, hash), hash, this.arena, this.texts);
  }
}
