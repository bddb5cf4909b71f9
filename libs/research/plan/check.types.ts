import type { ResearchPassage } from './action.types.js';

/** Two passages that give one name different values. */
export interface Contradiction {
  /** Name of a setting, constant or version. */
  readonly name: string;
  readonly values: readonly {
    readonly value: string;
    readonly passage: ResearchPassage;
  }[];
}

/** Coverage of a question by all passages found so far. */
export interface Coverage {
  readonly covered: readonly string[];
  /** Terms, identifiers and paths of the question that no passage has. */
  readonly uncovered: readonly string[];
  /** Attached repositories without a passage. */
  readonly repositoriesWithout: readonly string[];
  readonly contradictions: readonly Contradiction[];
}
