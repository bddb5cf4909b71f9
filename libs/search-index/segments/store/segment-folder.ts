import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { asStorageFull, replaceFile, syncFolder } from '#platform';

import type { GenerationRecord } from './loaded-generation.js';

const SEGMENTS = 'segments';
const GENERATIONS = 'generations';
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/;

/**
 * The files of an index: `<tenant>/segments/<pack hash>` and
 * `<tenant>/generations/<source>.<number>.json`.
 */
export class SegmentFolder {
  constructor(readonly directory: string) {}

  segmentFile(tenantId: string, hash: string): string {
    return join(this.directory, plain(tenantId), SEGMENTS, plain(hash));
  }

  hasSegment(tenantId: string, hash: string): boolean {
    return existsSync(this.segmentFile(tenantId, hash));
  }

  async writeSegment(tenantId: string, hash: string, bytes: Uint8Array): Promise<void> {
    await this.prepare(tenantId);
    await this.write(this.segmentFile(tenantId, hash), bytes);
  }

  async removeSegment(tenantId: string, hash: string): Promise<void> {
    await rm(this.segmentFile(tenantId, hash), { force: true });
  }

  async writeRecord(record: GenerationRecord): Promise<void> {
    await this.prepare(record.tenant_id);
    await this.write(this.recordFile(record), Buffer.from(JSON.stringify(record)));
  }

  async removeRecord(record: GenerationRecord): Promise<void> {
    await rm(this.recordFile(record), { force: true });
    await syncFolder(join(this.directory, plain(record.tenant_id), GENERATIONS));
  }

  /**
   * Returns every recorded generation, and the files of unreadable records, which count as missing.
   */
  async records(): Promise<{
    readonly records: GenerationRecord[];
    readonly unreadable: string[];
  }> {
    const records: GenerationRecord[] = [];
    const unreadable: string[] = [];
    for (const tenant of await namesIn(this.directory)) {
      const folder = join(this.directory, tenant, GENERATIONS);
      for (const name of await namesIn(folder)) {
        const file = join(folder, name);
        const record = name.endsWith('.json')
          ? parseRecord(await readFile(file, 'utf8'))
          : undefined;
        if (record) records.push(record);
        else unreadable.push(file);
      }
    }
    return { records, unreadable };
  }

  /** Reports whether there is neither a record nor a segment. */
  async isEmpty(): Promise<boolean> {
    for (const tenant of await namesIn(this.directory)) {
      for (const part of [GENERATIONS, SEGMENTS]) {
        if ((await namesIn(join(this.directory, tenant, part))).length > 0) return false;
      }
    }
    return true;
  }

  /** Removes segment files that are not `wanted`, left by a crash. */
  async sweep(wanted: (tenantId: string, hash: string) => boolean): Promise<void> {
    for (const tenant of await namesIn(this.directory)) {
      const folder = join(this.directory, tenant, SEGMENTS);
      for (const name of await namesIn(folder))
        if (!wanted(tenant, name)) await rm(join(folder, name), { force: true });
    }
  }

  /** Removes the folder with all its content. */
  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  private recordFile({ tenant_id, source_id, generation }: GenerationRecord): string {
    return join(
      this.directory,
      plain(tenant_id),
      GENERATIONS,
      `${plain(source_id)}.${generation}.json`,
    );
  }

  /** @throws FootnoteError `storage_full`; then no partial file is left. */
  private async write(file: string, bytes: Uint8Array): Promise<void> {
    try {
      await replaceFile(file, bytes);
    } catch (error) {
      throw asStorageFull(error, 'The search index');
    }
  }

  private async prepare(tenantId: string): Promise<void> {
    for (const folder of [SEGMENTS, GENERATIONS]) {
      await mkdir(join(this.directory, plain(tenantId), folder), { recursive: true });
    }
  }
}

function parseRecord(text: string): GenerationRecord | undefined {
  try {
    const record = JSON.parse(text) as GenerationRecord;
    return record.format === 1 ? record : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the names in a folder, sorted; empty if it is missing. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException).code === 'ENOENT' ||
      (error as NodeJS.ErrnoException).code === 'ENOTDIR'
    )
      return [];
    throw error;
  }
}

/** Checks an id that becomes a file name, so that no path leaves the folder. */
function plain(name: string): string {
  if (!PLAIN_NAME.test(name)) throw new Error(`not an id: ${JSON.stringify(name.slice(0, 64))}`);
  return name;
}
