import type { RankedChunk } from '#retrieval';
import type { SourceStanding } from '#retrieval/ranking/rank.types';
import { rankedChunk } from '#retrieval/ranking/ranked-chunk';

import type { RankedCandidates } from '../../ranking.types.js';
import type { Candidate } from '../../search-index.port.js';
import { type FoundSlice, type RankedRows, ROW_SCORES } from '../scan/found-slice.js';
import type { FoundCandidates } from './found-candidates.js';

const NO_COPIES: readonly Candidate[] = [];

/** The ranking of a slice that a search thread ranked. */
export class SliceRanking implements RankedCandidates {
  readonly length: number;
  readonly statistics: FoundSlice['statistics'];
  private readonly rows: RankedChunk<Candidate>[] = [];
  /** By source: hundreds of rows have few sources. */
  private readonly standings = new Map<string, SourceStanding>();

  constructor(
    { statistics }: FoundSlice,
    private readonly ranked: RankedRows,
    private readonly candidates: FoundCandidates,
    private readonly sourceOf: (sourceId: string) => SourceStanding,
  ) {
    this.length = ranked.count;
    this.statistics = statistics;
  }

  first(count: number): readonly RankedChunk<Candidate>[] {
    for (let row = this.rows.length; row < Math.min(count, this.length); row += 1)
      this.rows.push(this.rowAt(row));
    return this.rows.slice(0, count);
  }

  all(): readonly RankedChunk<Candidate>[] {
    return this.first(this.length);
  }

  private rowAt(row: number): RankedChunk<Candidate> {
    const { scores, copies, contributions } = this.ranked;
    const candidate = this.candidates.at(row);
    const at = row * ROW_SCORES;
    const entry = {
      candidate,
      source: this.standingOf(candidate.sourceId),
      score: scores[at] as number,
      lexical: scores[at + 1] as number,
      semantic: scores[at + 2] as number,
      combined: scores[at + 3] as number,
    };
    const others = copies.get(row)?.map((other) => this.candidates.at(other)) ?? NO_COPIES;
    return rankedChunk<Candidate>(entry, others, contributions && (contributions[row] ?? []));
  }

  private standingOf(sourceId: string): SourceStanding {
    let standing = this.standings.get(sourceId);
    if (!standing) this.standings.set(sourceId, (standing = this.sourceOf(sourceId)));
    return standing;
  }
}
