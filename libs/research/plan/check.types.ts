import type { ResearchPassage } from './action.types.js';

/** Two or more passages that give one name different values. */
export interface Contradiction {
  /** Name of a setting, constant or version. */
  readonly name: string;
  readonly values: readonly {
    readonly value: string;
    readonly passage: ResearchPassage;
  }[];
}

/** Coverage of a question by the passages found so far. */
export interface Coverage {
  /** Words, names and paths of the question that a passage has; no fillers. */
  readonly covered: readonly string[];
  /** Words, names and paths of the question that no passage has; no fillers. */
  readonly uncovered: readonly string[];
  /**
   * Share of the question that the best passage covers, 0 to 1. Rare terms weigh most, and a term
   * that no passage has is the rarest.
   */
  readonly bestShare: number;
  /** Attached repositories without a passage. */
  readonly repositoriesWithout: readonly string[];
  readonly contradictions: readonly Contradiction[];
}
