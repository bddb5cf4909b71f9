import type { WeighedFields } from '#retrieval';

/** Where a pair comes from. */
export const PAIR_KINDS = ['comment', 'heading', 'sentence', 'commit'] as const;
export type PairKind = (typeof PAIR_KINDS)[number];

/** What somebody wrote about a passage, as a question would be, and the passage. */
export interface TextPair {
  readonly kind: PairKind;
  /** The document or commit that it is taken from: pairs of one group say nearly the same. */
  readonly group: string;
  readonly question: string;
  readonly passage: WeighedFields;
}
