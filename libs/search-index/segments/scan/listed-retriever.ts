import { isDropped } from '../../pack/dropped-bitmap.js';
import type { Accepts } from './accepted-chunks.js';
import { PlaceScores } from './place-scores.js';
import type { ReadRanges } from './query-terms.js';
import type { ScanPace, Steps } from './scan-pace.js';
import type { ViewRange } from './searched-view.js';
import type { TopChunks } from './top-chunks.js';
import type { TermWeight } from './word-scores.js';

/** Work of one term in one pack, of a posting, and of offering a chunk, in nanoseconds. */
const [UNITS_A_PACK, UNITS_A_POSTING, UNITS_AN_OFFER] = [20, 3, 50];

interface ListedRetrieverInput {
  /** One per term. */
  readonly weights: readonly TermWeight[];
  readonly accepts: Accepts;
  readonly pace: ScanPace;
}

/** Runs the retrievers by words over the packs of one directory, term at a time over all packs. */
export function* listedRetriever(
  { bySlot, slots, words }: ReadRanges,
  scores: PlaceScores,
  { weights, accepts, pace }: ListedRetrieverInput,
  found: { readonly byTerms: TopChunks; readonly byDefinition: TopChunks },
): Steps<void> {
  const { postings } = words.directory;
  scores.begin(postings.places);
  for (const [term, weight] of weights.entries()) yield* addTerm(term, weight);
  yield* offerPlaces();
  yield* offerDefinitions();
  scores.end();

  function* addTerm(term: number, weight: TermWeight): Steps<void> {
    const entries = words.entriesOf(term);
    for (let pack = 0; pack < slots.length;) {
      const { next, added } = scores.add(postings, entries, slots, pack, weight);
      pace.spend(UNITS_A_PACK * (next - pack) + UNITS_A_POSTING * added);
      pack = next;
      if (pace.isDue) yield;
    }
  }

  function* offerPlaces(): Steps<void> {
    const { byTerms } = found;
    for (let from = 0; from < scores.count; from += PlaceScores.STEP) {
      const to = Math.min(scores.count, from + PlaceScores.STEP);
      pace.spend(UNITS_A_POSTING * (to - from));
      for (const place of scores.reaching(from, to, byTerms.threshold)) {
        const score = scores.scoreOf(place);
        if (score >= byTerms.threshold) offer(byTerms, place, score);
        // The memory of the found ones belongs to this search, so they stay in the pause.
        if (pace.isDue) yield;
      }
    }
  }

  function offer(top: TopChunks, place: number, score: number): void {
    const slot = postings.slots[place] as number;
    const { view, from, to } = bySlot[slot] as ViewRange;
    const chunk = place - postings.firstPlace(slot);
    if (chunk < from || chunk >= to || isDropped(view.dropped, chunk) || !accepts(view, chunk))
      return;
    top.offer(view, chunk, score, postings.idPrefixes[place]);
    pace.spend(UNITS_AN_OFFER);
  }

  function* offerDefinitions(): Steps<void> {
    for (const [slot, lists] of words.defining) {
      if (!bySlot[slot]) continue;
      const first = postings.firstPlace(slot);
      for (const chunk of new Set(lists.flatMap((list) => [...list])))
        offer(found.byDefinition, first + chunk, scores.scoreOf(first + chunk));
      if (pace.isDue) yield;
    }
  }
}
