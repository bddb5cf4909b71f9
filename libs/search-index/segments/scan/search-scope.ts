import { hasSignatures, type SearchedView, type ViewRange } from './searched-view.js';
import type { WordDirectories, WordDirectory } from './word-directories.js';

/** Ranges whose vectors come from one model, in one layout. */
export interface ModelRanges {
  readonly embedderId: string;
  readonly dimensions: number;
  readonly hasSignatures: boolean;
  readonly ranges: readonly ViewRange[];
}

/** Ranges of different packs that one directory lists. */
export interface ListedRanges {
  readonly directory: WordDirectory;
  /** Number of additions to the directory by which all of them were listed. */
  readonly additions: number;
  /** By slot; undefined for packs outside of the scope. */
  readonly bySlot: readonly (ViewRange | undefined)[];
  readonly slots: Uint32Array;
}

/** The ranges of a scope by the directories that list them, and those that are in none. */
export interface DividedRanges {
  readonly listed: readonly ListedRanges[];
  readonly others: readonly ViewRange[];
}

/**
 * Ranges of different views to search, with what all searches of them need. Reading it from
 * thousands of packs would take longer than the search.
 */
export class SearchScope {
  /** The index of each view's range. */
  readonly rangeOf: ReadonlyMap<SearchedView, number>;
  readonly models: readonly ModelRanges[];
  private divided: (DividedRanges & { readonly changes: number }) | undefined;

  constructor(readonly ranges: readonly ViewRange[]) {
    this.rangeOf = new Map(ranges.map(({ view }, range) => [view, range]));
    this.models = [...Map.groupBy(ranges, modelOf).values()].map((ofModel) => {
      const { embedderId, segment } = (ofModel[0] as ViewRange).view;
      const { dimensions } = segment;
      return { embedderId, dimensions, hasSignatures: hasSignatures(segment), ranges: ofModel };
    });
  }

  /** Divides the ranges by their directories, again after each change of these. */
  dividedBy(directories: WordDirectories): DividedRanges {
    if (this.divided?.changes !== directories.changes)
      this.divided = { ...divide(this.ranges, directories), changes: directories.changes };
    return this.divided;
  }
}

function modelOf({ view: { embedderId, segment } }: ViewRange): string {
  return `${embedderId} ${segment.dimensions} ${hasSignatures(segment)}`;
}

interface Group {
  readonly bySlot: (ViewRange | undefined)[];
  readonly slots: number[];
}

function divide(ranges: readonly ViewRange[], directories: WordDirectories): DividedRanges {
  const groups = new Map<WordDirectory, Group>();
  const others: ViewRange[] = [];
  for (const range of ranges) {
    const listing = directories.listingOf(range.view.segment);
    const group = listing && groupOf(groups, listing.directory);
    // Two generations may share a pack: the second one is looked up by itself.
    if (!group || group.bySlot[listing.slot]) others.push(range);
    else {
      group.bySlot[listing.slot] = range;
      group.slots.push(listing.slot);
    }
  }
  const listed = [...groups].map(([directory, group]) => {
    const slots = Uint32Array.from(group.slots).sort();
    return { directory, additions: directory.additions, bySlot: group.bySlot, slots };
  });
  return { listed, others };
}

function groupOf(groups: Map<WordDirectory, Group>, directory: WordDirectory): Group {
  let group = groups.get(directory);
  if (!group) {
    const bySlot = new Array<ViewRange | undefined>(directory.width).fill(undefined);
    groups.set(directory, (group = { bySlot, slots: [] }));
  }
  return group;
}
