import type { WeighedFields } from '#retrieval';

/** Origins of a pair. */
export const PAIR_KINDS = ['comment', 'heading', 'sentence', 'commit'] as const;
export type PairKind = (typeof PAIR_KINDS)[number];

/** A text of a person about a passage, similar to a question, and the passage. */
export interface TextPair {
  readonly kind: PairKind;
  /** The document or commit of origin: pairs of one group are nearly equal. */
  readonly group: string;
  readonly question: string;
  readonly passage: WeighedFields;
}
