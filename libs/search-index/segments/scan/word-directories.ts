import type { PackTables } from '../../pack/pack-tables.js';
import { ListedPostings } from './listed-postings.js';
import type { SearchedSegment } from './searched-view.js';
import { type ListedStrings, StringDirectory } from './string-directory.js';

/**
 * Terms above which a pack is not listed. A lookup in each large pack costs little per chunk, and
 * a pack is added without a pause, in some milliseconds.
 */
const MAX_LISTED_TERMS = 16_384;

/** The listed packs of one tenant, by slot, with the packs of each term and defined name. */
export class WordDirectory {
  /** By slot. */
  private readonly segments: (SearchedSegment | undefined)[] = [];
  private readonly free: number[] = [];
  readonly terms = new StringDirectory();
  readonly names = new StringDirectory();
  readonly postings = new ListedPostings();
  /** Number of packs that were ever added. */
  additions = 0;

  /** Number of listed packs. */
  get size(): number {
    return this.width - this.free.length;
  }

  /** Number of slots, used or not. */
  get width(): number {
    return this.segments.length;
  }

  /** Returns the pack of a slot that is in use. */
  segmentAt(slot: number): SearchedSegment {
    return this.segments[slot] as SearchedSegment;
  }

  add(segment: SearchedSegment): Listing {
    const slot = this.free.pop() ?? this.width;
    this.segments[slot] = segment;
    this.terms.add(slot, segment.tables.terms);
    this.names.add(slot, definedNames(segment.tables));
    this.postings.add(slot, segment.tables);
    this.additions += 1;
    return { directory: this, slot, addition: this.additions };
  }

  remove(slot: number): void {
    this.terms.remove(slot);
    this.names.remove(slot);
    this.postings.remove(slot);
    this.segments[slot] = undefined;
    this.free.push(slot);
  }
}

/** The slot of a pack in the directory that lists it. */
export interface Listing {
  readonly directory: WordDirectory;
  readonly slot: number;
  /** Number of the addition among those of the directory. */
  readonly addition: number;
}

/** A pack of the thread, with the number of times that it was added. */
interface HeldPack {
  holders: number;
  readonly listing: Listing | undefined;
}

/**
 * Directories of the packs of each tenant, separate by tenant. Packs are added and removed one at a
 * time; a pack that is not listed is looked up by itself.
 */
export class WordDirectories {
  private readonly byTenant = new Map<string, WordDirectory>();
  private readonly held = new Map<SearchedSegment, HeldPack>();
  /** Number of packs that were listed and removed. */
  changes = 0;

  constructor(private readonly maxTerms = MAX_LISTED_TERMS) {}

  /** Adds a segment, or one more holder of it. */
  add(segment: SearchedSegment): void {
    const known = this.held.get(segment);
    if (known) known.holders += 1;
    else this.held.set(segment, { holders: 1, listing: this.list(segment) });
  }

  /** Removes one holder of a segment, and the segment after its last holder. */
  remove(segment: SearchedSegment): void {
    const known = this.held.get(segment);
    if (!known) return;
    known.holders -= 1;
    if (known.holders > 0) return;
    this.held.delete(segment);
    if (!known.listing) return;
    const { directory, slot } = known.listing;
    directory.remove(slot);
    this.changes += 1;
    if (directory.size === 0) this.byTenant.delete(segment.tables.meta.tenant_id);
  }

  /** Returns where a segment is listed, if it is. */
  listingOf(segment: SearchedSegment): Listing | undefined {
    return this.held.get(segment)?.listing;
  }

  private list(segment: SearchedSegment): Listing | undefined {
    const { tables } = segment;
    if (tables.terms.size > this.maxTerms || tables.definedCount > this.maxTerms) return undefined;
    const tenant = tables.meta.tenant_id;
    let directory = this.byTenant.get(tenant);
    if (!directory) this.byTenant.set(tenant, (directory = new WordDirectory()));
    if (!directory.postings.hasRoomFor(tables)) return undefined;
    this.changes += 1;
    return directory.add(segment);
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
