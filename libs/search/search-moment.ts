import type { PolicySettings, Position } from '#contracts';
import type { QuantizedVector } from '#retrieval';

import type { SearchableSource } from './searchable-source.js';
import type { AudiencesAsked } from './visible-sources.js';

/**
 * Inputs of a search besides its request and the content itself: the same moment gives the same
 * answer.
 */
export interface SearchMoment {
  readonly tenantId: string;
  /** Owner of these sources. */
  readonly audiences: AudiencesAsked;
  readonly policy: PolicySettings;
  /** Revision of the policy's stream; null while it was never changed. */
  readonly policyRevision: number | null;
  /**
   * Everything live that these audiences see and that can be searched: what is searched, less the
   * request's filters, and what statistics are taken over.
   */
  readonly sources: readonly SearchableSource[];
  /** Live sources that no search can look into for want of their content. */
  readonly lost: readonly SearchableSource[];
  /** Entries of `sources` whose content is missing, although the index still has it. */
  readonly indexedOnly: readonly SearchableSource[];
  /** The position that `sources` are the state of. */
  readonly liveAt: Position | null;
  /**
   * The position that the packages which the tenant links are the state of; null where none were
   * looked at.
   */
  readonly linksAt: Position | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Record of the audit trail that a past moment is; null before the first record. */
  readonly asOfSeq?: number | null;
  /** Models that the query may be embedded with. Default: all that are at hand. */
  readonly models?: readonly string[];
  /**
   * Sentence vectors to search with; null for none. Default: those of the installed encoder.
   */
  readonly sentences?: UsedSentences | null;
  /** Use of a reranker to repeat; null for none. Default: the configured reranker is asked. */
  readonly reranker?: UsedReranker | null;
  /** Version of the retrievers that the repeated search used. Default: the current one. */
  readonly retrievalVersion?: number;
}

/** A reranker that received the query and the first passages, and what came of it. */
export type UsedReranker =
  | {
      readonly model: string;
      readonly outcome: 'applied';
      /** The chunks that it read, the most relevant first. */
      readonly chunkIds: readonly string[];
    }
  | { readonly model: string; readonly outcome: 'late' | 'failed' };

/** The vector of a query by a sentence encoder, and the sources that it was compared with. */
export interface UsedSentences {
  readonly encoder: string;
  readonly vector: QuantizedVector;
  readonly sourceIds: readonly string[];
}
