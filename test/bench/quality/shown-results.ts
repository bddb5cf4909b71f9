import { type LocalModel, raiseSecondPassage, type RankedChunk } from '#retrieval';
import type { Candidate, LiveSource, SearchIndex } from '#search-index';

import type { Found } from './ablation.js';
import type { BenchSentences } from './bench-sentences.js';
import { withPassages } from './open-set.js';

type Ranked = readonly RankedChunk<Candidate>[];

/** Content and models of a measured search. */
export interface Searched {
  readonly index: SearchIndex;
  readonly live: LiveSource;
  readonly model: LocalModel;
  /** Default: no sentence encoder. */
  readonly sentences: BenchSentences | undefined;
}

/** Results of a search in their order. */
export interface ShownResults {
  /** The results that a search returns. */
  readonly ranked: Ranked;
  /** Without the sentence encoder; the same if there is none. */
  readonly plain: Ranked;
  /** Before the second passage of the first file moves up. */
  readonly unraised: Ranked;
}

/** Returns the results for found candidates, by the steps of a search after its ranking. */
export async function shownResults(
  { index, live, model, sentences }: Searched,
  found: Found,
): Promise<ShownResults> {
  const passages = await withPassages(index, live, model, found);
  const plain = raiseSecondPassage(passages, found.query);
  const fused = await sentences?.fuse(index, live, model, found, passages);
  if (!fused) return { ranked: plain, plain, unraised: passages };
  return { ranked: raiseSecondPassage(fused, found.query), plain, unraised: fused };
}
