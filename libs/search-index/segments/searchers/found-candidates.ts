import type { FoundSlice } from '../scan/found-slice.js';
import { type QueryVectors, vectorOf } from '../scan/search-slice.js';
import type { SegmentView } from '../store/loaded-generation.js';
import { type GenerationLookups, lookupsOf, SegmentCandidate } from './segment-candidate.js';

/** Creates the candidates of a slice, one by one. */
export class FoundCandidates {
  private readonly lookups: (GenerationLookups | undefined)[];
  private readonly terms: number;

  constructor(
    private readonly scope: readonly SegmentView[],
    private readonly found: FoundSlice,
    private readonly vectors: QueryVectors,
  ) {
    this.lookups = new Array<GenerationLookups | undefined>(scope.length).fill(undefined);
    this.terms = termCount(found);
  }

  /** Returns a new object for the chunk of one entry. */
  at(entry: number): SegmentCandidate {
    const { views, chunks, cosines, frequencies } = this.found;
    const range = views[entry] as number;
    const lookups = (this.lookups[range] ??= this.lookupsOf(range));
    return new SegmentCandidate(
      lookups,
      chunks[entry] as number,
      cosines[entry] as number,
      frequencies,
      entry * this.terms,
      this.terms,
    );
  }

  private lookupsOf(range: number): GenerationLookups {
    const view = this.scope[range] as SegmentView;
    return lookupsOf(view, vectorOf(view, this.vectors) && view.embedderId);
  }
}

/** Returns the number of query terms. */
export function termCount({ chunks, frequencies }: FoundSlice): number {
  return chunks.length === 0 ? 0 : frequencies.length / chunks.length;
}
