import { RECEIPT_EVENT_BYTES } from '#contracts';
import { openParts, type SealedPlace, type Sealer, sealParts } from '#platform';
import type {
  CodeSearchRequest,
  NavigationRequest,
  ReferencesEnd,
  SearchRequest,
  UsedTable,
} from '#search';

import type { SealedReranker } from './sealed-reranker.js';
import type { SealedSentences } from './sealed-sentences.js';

/** Typed or chosen values; no event contains them unencrypted. */
export interface TypedRequest extends Pick<
  SearchRequest,
  'query' | 'source_ids' | 'path_patterns' | 'languages'
> {
  /** The question of a chat, where it was searched for in other words. */
  readonly question?: string;
  /** Sentence vectors that the search used; absent without any. */
  readonly sentences?: SealedSentences;
  /** Reranker that received the passages; absent if none did. */
  readonly reranker?: SealedReranker;
  /** Only of a code search, whose pattern or query is `query`. */
  readonly code?: Pick<
    CodeSearchRequest,
    'regex' | 'case_sensitive' | 'word' | 'context_lines' | 'cursor'
  > & {
    /** True if `query` is in the query language. */
    readonly is_query?: true;
  };
  /** Only of a request for symbols, definitions or references. */
  readonly navigation?: NavigationRequest;
  /** Only of a request for references, and of one for the definitions at a place. */
  readonly references_end?: ReferencesEnd;
  /** SCIP indexes that an answer used; absent without any. */
  readonly tables?: readonly UsedTable[];
}

/** Returns the filters of a request that it has; absent ones stay absent. */
export function filtersOf({
  source_ids,
  path_patterns,
  languages,
}: Partial<TypedRequest>): Pick<TypedRequest, 'source_ids' | 'path_patterns' | 'languages'> {
  return {
    ...(source_ids ? { source_ids } : {}),
    ...(path_patterns ? { path_patterns } : {}),
    ...(languages ? { languages } : {}),
  };
}

/** JSON around a part that is in an event of its own. */
const PART_FRAME_BYTES = 64;

/** A sealed request: its first part goes into the receipt, the rest into events after it. */
export interface SealedRequest {
  readonly first: string | null;
  readonly rest: readonly string[];
}

/**
 * Seals the text of the request, cut so that no event with a part of it is over {@link
 * RECEIPT_EVENT_BYTES}.
 *
 * @param room bytes that the receipt has left for the first part
 * @returns no part where the tenant's key was destroyed: text that may not be stored is not written
 */
export async function sealRequest(
  keys: Sealer,
  place: SealedPlace,
  request: TypedRequest,
  room: number,
): Promise<SealedRequest> {
  const rooms = [room, RECEIPT_EVENT_BYTES - PART_FRAME_BYTES] as const;
  const [first = null, ...rest] = await sealParts(
    keys,
    requestOf(place),
    JSON.stringify(request),
    rooms,
  );
  return { first, rest };
}

/** @returns null where the key was destroyed. @throws Error when the parts were tampered with. */
export async function openRequest(
  keys: Sealer,
  place: SealedPlace,
  parts: readonly string[],
): Promise<TypedRequest | null> {
  const text = await openParts(keys, requestOf(place), parts);
  return text === null ? null : (JSON.parse(text) as TypedRequest);
}

function requestOf({ tenantId, boundTo }: SealedPlace): SealedPlace {
  return { tenantId, boundTo: `${boundTo}/request` };
}
