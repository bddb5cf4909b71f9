import type { PackTables } from '../../pack/pack-tables.js';
import type { SearchedSegment } from './searched-view.js';
import { type ListedStrings, StringDirectory } from './string-directory.js';

/**
 * Terms above which a pack is not listed. A lookup in each large pack costs little per chunk, and
 * a pack is added without a pause, in some milliseconds.
 */
const MAX_LISTED_TERMS = 16_384;

/** The listed packs of one tenant, by slot, with the packs of each term and defined name. */
export class WordDirectory {
  private readonly slotOf = new Map<SearchedSegment, number>();
  private readonly free: number[] = [];
  private slots = 0;
  readonly terms = new StringDirectory();
  readonly names = new StringDirectory();

  /** Number of listed packs. */
  get size(): number {
    return this.slotOf.size;
  }

  /** Returns the number of a listed pack, below the most that were ever listed at once. */
  slot(segment: SearchedSegment): number | undefined {
    return this.slotOf.get(segment);
  }

  add(segment: SearchedSegment): void {
    const slot = this.free.pop() ?? this.slots++;
    this.slotOf.set(segment, slot);
    this.terms.add(slot, segment.tables.terms);
    this.names.add(slot, definedNames(segment.tables));
  }

  remove(segment: SearchedSegment): void {
    const slot = this.slotOf.get(segment);
    if (slot === undefined) return;
    this.slotOf.delete(segment);
    this.terms.remove(slot);
    this.names.remove(slot);
    this.free.push(slot);
  }
}

/**
 * Directories of the packs of each tenant, separate by tenant. Packs are added and removed one at a
 * time; a pack that is not listed is looked up by itself.
 */
export class WordDirectories {
  private readonly byTenant = new Map<string, WordDirectory>();
  /** Number of times that each segment was added. */
  private readonly holders = new Map<SearchedSegment, number>();

  constructor(private readonly maxTerms = MAX_LISTED_TERMS) {}

  /** Adds a segment, or one more holder of it. */
  add(segment: SearchedSegment): void {
    const holders = this.holders.get(segment) ?? 0;
    this.holders.set(segment, holders + 1);
    const { tables } = segment;
    if (holders > 0 || tables.terms.size > this.maxTerms || tables.definedCount > this.maxTerms)
      return;
    const tenant = tables.meta.tenant_id;
    let directory = this.byTenant.get(tenant);
    if (!directory) this.byTenant.set(tenant, (directory = new WordDirectory()));
    directory.add(segment);
  }

  /** Removes one holder of a segment, and the segment after its last holder. */
  remove(segment: SearchedSegment): void {
    const holders = this.holders.get(segment) ?? 0;
    if (holders > 1) {
      this.holders.set(segment, holders - 1);
      return;
    }
    this.holders.delete(segment);
    const tenant = segment.tables.meta.tenant_id;
    const directory = this.byTenant.get(tenant);
    directory?.remove(segment);
    if (directory?.size === 0) this.byTenant.delete(tenant);
  }

  /** Divides segments by the directory that lists them; the others have none. */
  group(
    segments: Iterable<SearchedSegment>,
  ): ReadonlyMap<WordDirectory | undefined, readonly SearchedSegment[]> {
    return Map.groupBy(segments, (segment) => {
      const directory = this.byTenant.get(segment.tables.meta.tenant_id);
      return directory?.slot(segment) === undefined ? undefined : directory;
    });
  }
}

/** Returns the names that chunks of a pack define, by their index among the defined names. */
function definedNames(tables: PackTables): ListedStrings {
  const { strings } = tables;
  return {
    size: tables.definedCount,
    bytes: strings.bytes,
    startOf: (index) => strings.startOf(tables.definedNameId(index)),
    endOf: (index) => strings.endOf(tables.definedNameId(index)),
  };
}
