import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import type { Manifest } from '#contracts';

import { countDropped, decodeDropped, isDropped } from '../pack/dropped-bitmap.js';
import { readPack } from '../pack/read-pack.js';
import type { IndexBeside, LiveSource } from '../search-index.port.js';
import {
  checkBelongs,
  generationKey,
  type GenerationRecord,
  recordOf,
  sourceOf,
} from './store/loaded-generation.js';
import type { SegmentFolder } from './store/segment-folder.js';
import type { ReadBlob } from './store/segment-pool.js';

export interface SegmentBuildDependencies {
  /** Empty, and exclusive to this build. */
  readonly folder: SegmentFolder;
  /** Returns the serving index's record of a generation. */
  readonly serving: (source: LiveSource) => GenerationRecord | undefined;
  readonly servingFolder: () => SegmentFolder;
  /** Replaces the serving folder by the finished one. */
  readonly show: (
    folder: SegmentFolder,
    records: ReadonlyMap<string, GenerationRecord>,
    isRequired: (source: LiveSource) => boolean,
  ) => Promise<boolean>;
  readonly ended: () => void;
}

/**
 * An embedded index that is written next to the serving one. Its files are checked and not opened.
 * So a rebuild needs the disk space of the index again, and the memory of one pack.
 */
export class SegmentBuild implements IndexBeside {
  private readonly records = new Map<string, GenerationRecord>();
  /** Packs whose file exists. */
  private readonly written = new Set<string>();
  /** Changes happen one after the other. */
  private changes: Promise<unknown> = Promise.resolve();
  private isOver = false;

  constructor(private readonly dependencies: SegmentBuildDependencies) {}

  applyGeneration(manifest: Manifest, readBlob: ReadBlob): Promise<number> {
    return this.change(() => this.write(recordOf(manifest), readBlob));
  }

  dropGeneration(tenantId: string, sourceId: string, generation: number): Promise<void> {
    return this.change(async () => {
      const key = generationKey({ tenantId, sourceId, generation });
      const known = this.records.get(key);
      if (!known) return;
      this.records.delete(key);
      // Unused segments are removed when the build is shown.
      await this.dependencies.folder.removeRecord(known);
    });
  }

  async generations(): Promise<readonly LiveSource[]> {
    return [...this.records.values()].map(sourceOf);
  }

  async *chunkIds(source: LiveSource): AsyncIterable<string> {
    const record = this.records.get(generationKey(source));
    for (const { hash, chunks, dropped } of record?.packs ?? []) {
      const gone = decodeDropped(dropped, chunks);
      const { tables } = readPack(
        await readFile(this.dependencies.folder.segmentFile(source.tenantId, hash)),
      );
      for (let chunk = 0; chunk < chunks; chunk++)
        if (!isDropped(gone, chunk)) yield tables.chunkId(chunk);
    }
  }

  takeOver(source: LiveSource): Promise<void> {
    return this.change(async () => {
      const record = this.dependencies.serving(source);
      if (!record) return;
      const readSegment = async (hash: string): Promise<Uint8Array> => {
        const bytes = await readFile(
          this.dependencies.servingFolder().segmentFile(source.tenantId, hash),
        );
        const found = createHash('sha256').update(bytes).digest('hex');
        if (found !== hash) throw new DamagedSegmentError(hash);
        return bytes;
      };
      try {
        await this.write(record, readSegment);
      } catch (error) {
        const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
        if (!isGone && !(error instanceof DamagedSegmentError)) throw error;
      }
    });
  }

  show(isRequired: (source: LiveSource) => boolean): Promise<boolean> {
    return this.change(async () => {
      const shown = await this.dependencies.show(
        this.dependencies.folder,
        this.records,
        isRequired,
      );
      if (shown) this.end();
      return shown;
    });
  }

  discard(): Promise<void> {
    return this.change(async () => {
      if (this.isOver) return;
      await this.dependencies.folder.remove();
      this.end();
    });
  }

  private end(): void {
    this.isOver = true;
    this.dependencies.ended();
  }

  private async write(record: GenerationRecord, read: ReadBlob): Promise<number> {
    const { folder } = this.dependencies;
    const { tenant_id: tenantId, packs } = record;
    for (const { hash, chunks } of packs) {
      const key = `${tenantId}/${hash}`;
      const isWritten = this.written.has(key);
      const bytes = isWritten
        ? await readFile(folder.segmentFile(tenantId, hash))
        : await read(hash);
      checkBelongs(readPack(bytes).meta, hash, record, chunks);
      if (!isWritten) await folder.writeSegment(tenantId, hash, bytes);
      this.written.add(key);
    }
    await folder.writeRecord(record);
    this.records.set(generationKey(sourceOf(record)), record);
    return packs.reduce(
      (sum, { chunks, dropped }) => sum + chunks - countDropped(decodeDropped(dropped, chunks)),
      0,
    );
  }

  private change<T>(work: () => Promise<T>): Promise<T> {
    const done = this.changes.then(work);
    this.changes = done.catch(() => undefined);
    return done;
  }
}

class DamagedSegmentError extends Error {
  constructor(hash: string) {
    super(`the segment file of pack ${hash} is damaged`);
  }
}
