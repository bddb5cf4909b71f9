import type { ChatUsage } from '#models';
import type { SearchOutcome } from '#search';

/** A question in words that need no earlier turn. */
export interface StandaloneQuestion {
  readonly words: string;
  /**
   * True if the question may be complete as it was asked: these words are searched for only if it
   * finds too little by itself.
   */
  readonly asAskedFirst: boolean;
}

/**
 * The same with what a model counted for putting it so; null where it was not asked, did not end or
 * counts none.
 */
export interface RewrittenQuestion extends StandaloneQuestion {
  readonly usage: ChatUsage | null;
}

/** Returns whether the results are evidence enough that a question was complete by itself. */
export function standsByItself({ answer }: Pick<SearchOutcome, 'answer'>): boolean {
  if (!('results' in answer)) return false;
  const { confidence } = answer.evidence_quality;
  return confidence === 'high' || confidence === 'medium';
}
