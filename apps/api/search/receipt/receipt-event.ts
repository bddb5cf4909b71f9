import {
  type Receipt,
  RECEIPT_EVENT_BYTES,
  type ReceiptParameters,
  type ReceiptResults,
} from '#contracts';
import { RANKING_VERSION } from '#retrieval';
import type { Asked, AudiencesAsked, SearchEvidence, SearchMoment } from '#search';
import { RETRIEVAL_VERSION } from '#search-index';

import { filtersOf, type TypedRequest } from './sealed-request.js';
import { sealedReranker } from './sealed-reranker.js';
import { sealedSentences } from './sealed-sentences.js';

/** Decimals of a score in a receipt. */
const SCALE = 1e6;
/** Room for the fields around the receipt and for the number of parts. */
const FRAME_BYTES = 64;

/** Bytes that a receipt with many results leaves for the sealed text. */
const LEAST_REQUEST_BYTES = 512;
/** JSON around results that are in an event of their own. */
const PART_FRAME_BYTES = 64;

/** A receipt but for what is sealed. */
export type OpenReceipt = Omit<Receipt, 'request' | 'request_parts' | 'result_parts'>;

/** A receipt cut to events: its own has the first results, the others follow in parts. */
export interface DividedReceipt {
  readonly first: Omit<Receipt, 'request' | 'request_parts'>;
  readonly rest: readonly ReceiptResults[];
}

type StatedMoment = Pick<
  Receipt,
  'as_of' | 'policy_revision' | 'audiences' | 'live_at' | 'links_at' | 'incomplete'
>;

export function openReceipt({
  asked,
  moment,
  models,
  isAnswered,
  scores,
}: SearchEvidence): OpenReceipt {
  const sources = [...new Map(scores.map((result) => [result.sourceId, result])).values()];
  const indexOf = new Map(sources.map(({ sourceId }, at) => [sourceId, at]));
  return {
    kind: asked.kind,
    parameters: parametersOf(asked),
    ...statedMoment(moment),
    models: [...models],
    ranking_version: RANKING_VERSION,
    retrieval_version: RETRIEVAL_VERSION,
    outcome: isAnswered ? 'results' : 'no_evidence',
    sources: sources.map(({ sourceId, generation, priority }) => [
      sourceId,
      generation,
      rounded(priority),
    ]),
    results: scores.map(({ chunkId, sourceId, legs, score }) => [
      chunkId,
      indexOf.get(sourceId) ?? 0,
      legs && rounded(legs.lexical),
      legs && rounded(legs.semantic),
      legs && rounded(legs.combined),
      rounded(score),
    ]),
  };
}

/** Returns what was searched: policy, audiences and content; the time only of a past moment. */
export function statedMoment({ asOfSeq, now, ...moment }: SearchMoment): StatedMoment {
  return {
    ...(asOfSeq !== undefined && { as_of: { at: new Date(now).toISOString(), seq: asOfSeq } }),
    policy_revision: moment.policyRevision,
    ...statedAudiences(moment.audiences),
    live_at: moment.liveAt,
    ...(moment.linksAt === null ? {} : { links_at: moment.linksAt }),
    ...(moment.lost.length > 0 ? { incomplete: true as const } : {}),
  };
}

/** Returns nothing for the audience of the whole tenant. */
function statedAudiences(audiences: AudiencesAsked): Pick<Receipt, 'audiences'> {
  const [first, ...others] = audiences;
  return first?.kind === 'tenant' && others.length === 0 ? {} : { audiences: [...audiences] };
}

/** Cuts the results so that no event of the receipt is over {@link RECEIPT_EVENT_BYTES}. */
export function dividedReceipt(receipt: OpenReceipt): DividedReceipt {
  const own = roomFor({ ...receipt, results: [], result_parts: 0 }) - LEAST_REQUEST_BYTES;
  const [first = [], ...rest] = parts(receipt.results, own, RECEIPT_EVENT_BYTES - PART_FRAME_BYTES);
  return {
    first: { ...receipt, results: first, ...(rest.length > 0 && { result_parts: rest.length }) },
    rest,
  };
}

/** The first part takes `firstBytes` of JSON, each other one `bytes`. */
function parts(
  results: ReceiptResults,
  firstBytes: number,
  bytes: number,
): readonly ReceiptResults[] {
  const divided: ReceiptResults[] = [[]];
  let left = firstBytes;
  for (const result of results) {
    const size = Buffer.byteLength(JSON.stringify(result)) + 1;
    if (size > left) {
      divided.push([]);
      left = bytes;
    }
    divided.at(-1)?.push(result);
    left -= size;
  }
  return divided;
}

/** Bytes that the sealed text may take in the receipt's own event. */
export function roomFor(receipt: Omit<Receipt, 'request' | 'request_parts'>): number {
  const taken = Buffer.byteLength(JSON.stringify({ ...receipt, request: '', request_parts: 0 }));
  return RECEIPT_EVENT_BYTES - FRAME_BYTES - taken;
}

type TypedOutcome = Pick<SearchEvidence, 'asked' | 'moment' | 'sentences' | 'reranker'>;

/** Typed or chosen values, and what models made of the query; the rest are parameters. */
export function typedRequest({ asked, moment, sentences, reranker }: TypedOutcome): TypedRequest {
  const { query } = asked.request;
  return {
    query,
    ...(asked.kind === 'chat' && asked.question !== query ? { question: asked.question } : {}),
    ...filtersOf(asked.request),
    ...(sentences ? { sentences: sealedSentences(sentences, moment.sources) } : {}),
    ...(reranker ? { reranker: sealedReranker(reranker) } : {}),
  };
}

/** Six decimals: what a receipt shows of a score, and what a replay is compared by. */
function rounded(score: number): number {
  return Math.round(score * SCALE) / SCALE;
}

function parametersOf(asked: Asked): ReceiptParameters {
  const { max_tokens, top_k, include_stale } = asked.request;
  if (asked.kind !== 'rmh') return { max_tokens, top_k, include_stale };
  const { max_rounds, neighbor_line_radius, expand_neighbors, secondary_search } = asked.request;
  return {
    max_tokens,
    top_k,
    include_stale,
    max_rounds,
    neighbor_line_radius,
    expand_neighbors,
    secondary_search,
  };
}
