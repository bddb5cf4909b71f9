import { frequencyOf, type ListedPostings, placeOf } from './listed-postings.js';
import type { TermWeight } from './word-scores.js';

/** Postings that are added in one call, about. */
const BLOCK_POSTINGS = 16_384;

/** The scores by words of the chunks of a directory's packs, of one search at a time. */
export class PlaceScores {
  private scores = new Float32Array();
  private touched = new Uint32Array();
  private readonly found = new Uint32Array(PlaceScores.STEP);
  /** Number of places with a score. */
  count = 0;

  /** Begins a search; all scores are 0. */
  begin(places: number): void {
    if (this.scores.length < places) {
      this.scores = new Float32Array(places);
      this.touched = new Uint32Array(places);
    }
    this.count = 0;
  }

  /**
   * Adds the share of one term to the chunks of packs: that of `WordScores`, bit for bit.
   * @param entries of the term by slot, each plus one; 0 for none.
   * @param slots of the packs.
   * @param from number of the first pack.
   * @returns the number of the pack to continue with, after a bounded number of postings.
   */
  add(
    { starts, postings, lengths }: ListedPostings,
    entries: Uint32Array,
    slots: Uint32Array,
    from: number,
    { idf, base, slope }: TermWeight,
  ): { readonly next: number; readonly added: number } {
    const { scores, touched } = this;
    let { count } = this;
    let [pack, added] = [from, 0];
    for (; pack < slots.length && added < BLOCK_POSTINGS; pack += 1) {
      const entry = entries[slots[pack] as number] as number;
      if (entry === 0) continue;
      const [first, end] = [starts[entry - 1] as number, starts[entry] as number];
      for (let at = first; at < end; at += 1) {
        const posting = postings[at] as number;
        const place = placeOf(posting);
        const frequency = frequencyOf(posting);
        const score = scores[place] as number;
        if (score === 0) touched[count++] = place;
        scores[place] =
          score + (idf * frequency) / (frequency + base + slope * (lengths[place] as number));
      }
      added += end - first;
    }
    this.count = count;
    return { next: pack, added };
  }

  /**
   * Finds places whose score reaches a value.
   * @param from number of the first place with a score to look at, in the order of their finding.
   * @param to number of the last one, exclusive; at most {@link PlaceScores.STEP} more.
   * @returns the places, in memory that the next call overwrites.
   */
  reaching(from: number, to: number, least: number): Uint32Array {
    const { scores, touched, found } = this;
    let count = 0;
    for (let at = from; at < to; at += 1) {
      const place = touched[at] as number;
      if ((scores[place] as number) >= least) found[count++] = place;
    }
    return found.subarray(0, count);
  }

  /** Most places of one call of {@link PlaceScores.reaching}. */
  static readonly STEP = 1_024;

  scoreOf(place: number): number {
    return this.scores[place] as number;
  }

  /** Ends a search. */
  end(): void {
    for (let found = 0; found < this.count; found += 1)
      this.scores[this.touched[found] as number] = 0;
    this.count = 0;
  }
}
