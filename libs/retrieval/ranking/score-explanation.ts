import type { ScoreContribution, ScorePart } from './rank.types.js';
import type { RankTable } from './rank-table.js';

interface Explained {
  readonly contributions: ScoreContribution[];
  /** Sum of the contributions so far. */
  score: number;
}

/** Records how each part of ranking changes the scores of one search. */
export class ScoreExplanation {
  private readonly explained = new Map<string, Explained>();

  constructor(private readonly table: RankTable) {}

  /**
   * Records the difference of each score to the last recorded one. Parts that change nothing are
   * not listed.
   */
  record(part: ScorePart, entries: Iterable<number> = this.table.entries): void {
    const { input, score } = this.table;
    for (const at of entries) this.add(input.chunkId(at), part, score[at] as number);
  }

  /** Records the two retrievers, whose weighted scores are the base of all others. */
  recordRetrievers(): void {
    const { input, entries, lexical, score } = this.table;
    for (const at of entries) {
      const { weights } = this.table.modelOf(at).profile;
      this.add(input.chunkId(at), 'lexical', weights.lexical * (lexical[at] as number));
      this.add(input.chunkId(at), 'semantic', score[at] as number);
    }
  }

  /** Returns the contributions to the score of a chunk. */
  of(at: number): readonly ScoreContribution[] {
    return this.explained.get(this.table.input.chunkId(at))?.contributions ?? [];
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
