import type { RankCandidate, ScoreContribution, ScorePart } from './rank.types.js';
import type { Scored } from './scored.js';

interface Explained {
  readonly contributions: ScoreContribution[];
  /** Sum of the contributions so far. */
  score: number;
}

/** Records how each part of ranking changes the scores of one search. */
export class ScoreExplanation<C extends RankCandidate> {
  private readonly explained = new Map<string, Explained>();

  /**
   * Records the difference of each score to the last recorded one. Parts that change nothing are
   * not listed.
   */
  record(part: ScorePart, scored: readonly Scored<C>[]): void {
    for (const { candidate, score } of scored) this.add(candidate.chunkId, part, score);
  }

  /** Records the two retrievers, whose weighted scores are the base of all others. */
  recordRetrievers(scored: readonly Scored<C>[], lexicalWeightOf: (candidate: C) => number): void {
    for (const { candidate, lexical, score } of scored) {
      this.add(candidate.chunkId, 'lexical', lexicalWeightOf(candidate) * lexical);
      this.add(candidate.chunkId, 'semantic', score);
    }
  }

  of({ chunkId }: RankCandidate): readonly ScoreContribution[] {
    return this.explained.get(chunkId)?.contributions ?? [];
  }

  private add(chunkId: string, name: ScorePart, score: number): void {
    let entry = this.explained.get(chunkId);
    if (!entry) this.explained.set(chunkId, (entry = { contributions: [], score: 0 }));
    const value = score - entry.score;
    if (value === 0) return;
    entry.contributions.push({ name, value });
    entry.score = score;
  }
}
