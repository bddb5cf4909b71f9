import type { PackTables } from '../../pack/pack-tables.js';
import { EntryBlocks, withRoom } from './entry-blocks.js';

/** A posting is one number: the place of its chunk, times this, plus its weighted frequency. */
const FREQUENCIES = 256;
/** Chunks of all packs; a place takes 24 bits of a posting. */
const MAX_PLACES = 2 ** 24;

/** The places of one pack's numbers. */
interface PlacedPack {
  readonly chunks: number;
  readonly terms: number;
  /** Its first place, its first posting, and the entry of its first term. */
  readonly place: number;
  readonly posting: number;
  readonly entry: number;
  readonly postings: number;
}

/**
 * Copies of the postings of many small packs, side by side: reading each pack's own memory would
 * take longer than the scores. Each chunk has a place, a number that no other chunk has. Nothing of
 * a pack moves while it is listed. A posting takes 4 bytes, a term of a pack 4, a chunk 12.
 */
export class ListedPostings {
  private readonly placeBlocks = new EntryBlocks();
  private readonly postingBlocks = new EntryBlocks();
  private readonly entryBlocks = new EntryBlocks();
  /** By slot. */
  private readonly packs: (PlacedPack | undefined)[] = [];
  private readonly firstEntries: number[] = [];
  /** By place: the weighted length of its chunk, the beginning of its id, the slot of its pack. */
  lengths = new Uint32Array();
  idPrefixes = new Uint32Array();
  slots = new Uint32Array();
  /** See {@link placeOf} and {@link frequencyOf}. */
  postings = new Uint32Array();
  /** By entry: its first posting. The next entry's first posting ends it. */
  starts = new Uint32Array();

  /** Number of places, used or not. */
  get places(): number {
    return this.placeBlocks.end;
  }

  /** Returns whether the places suffice for a further pack. */
  hasRoomFor({ chunkCount }: PackTables): boolean {
    return this.places + 2 * chunkCount < MAX_PLACES;
  }

  /** Adds the postings of a pack under an unused slot. */
  add(slot: number, tables: PackTables): void {
    const { chunkCount, postingOffsets, postingChunks, postingFrequencies } = tables;
    const [terms, postings] = [tables.terms.size, postingChunks.length];
    const place = this.placeBlocks.reserve(chunkCount);
    const posting = this.postingBlocks.reserve(postings);
    const entry = this.entryBlocks.reserve(terms + 1);
    this.grow();
    for (let chunk = 0; chunk < chunkCount; chunk += 1) {
      this.lengths[place + chunk] = tables.lengths[chunk] as number;
      this.idPrefixes[place + chunk] = tables.idPrefix(chunk);
      this.slots[place + chunk] = slot;
    }
    for (let at = 0; at < postings; at += 1) {
      const number = (place + (postingChunks[at] as number)) * FREQUENCIES;
      this.postings[posting + at] = number + (postingFrequencies[at] as number);
    }
    for (let term = 0; term <= terms; term += 1)
      this.starts[entry + term] = posting + (postingOffsets[term] as number);
    this.packs[slot] = { chunks: chunkCount, terms, place, posting, entry, postings };
    this.firstEntries[slot] = entry;
  }

  /** Removes the postings of a pack; its slot is unused then. */
  remove(slot: number): void {
    const pack = this.packs[slot];
    if (!pack) return;
    this.placeBlocks.release({ at: pack.place, size: pack.chunks });
    this.postingBlocks.release({ at: pack.posting, size: pack.postings });
    this.entryBlocks.release({ at: pack.entry, size: pack.terms + 1 });
    this.packs[slot] = undefined;
  }

  /** Returns the entry of a listed pack's term, by the index of the term. */
  entryOf(slot: number, term: number): number {
    return (this.firstEntries[slot] as number) + term;
  }

  /** Returns the place of a listed pack's first chunk; those of the others follow. */
  firstPlace(slot: number): number {
    return (this.packs[slot] as PlacedPack).place;
  }

  private grow(): void {
    this.lengths = withRoom(this.lengths, this.placeBlocks.end);
    this.idPrefixes = withRoom(this.idPrefixes, this.placeBlocks.end);
    this.slots = withRoom(this.slots, this.placeBlocks.end);
    this.postings = withRoom(this.postings, this.postingBlocks.end);
    this.starts = withRoom(this.starts, this.entryBlocks.end);
  }
}

/** Returns the place of a posting's chunk. */
export function placeOf(posting: number): number {
  return posting >>> 8;
}

/** Returns a number that the postings of a place and of later ones reach. */
export function leastPosting(place: number): number {
  return place * FREQUENCIES;
}

/** Returns the weighted frequency of a posting. */
export function frequencyOf(posting: number): number {
  return posting & (FREQUENCIES - 1);
}
