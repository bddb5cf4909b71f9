import { z } from 'zod';

import { MOST_RESULTS, MOST_TOP_K } from '../content/answer-limits.js';
import { audienceSchema, MOST_AUDIENCES } from '../content/audience.js';
import { count, id, instant } from '../fields.js';

/**
 * An event with a receipt, or with a part of one, has at most so many bytes of JSON as its data.
 */
export const RECEIPT_EVENT_BYTES = 8_192;

export const RECEIPT_KINDS = ['search', 'rmh', 'chat', 'code'] as const;
export type ReceiptKind = (typeof RECEIPT_KINDS)[number];

/** Text sealed with the tenant's data key. */
export const sealedText = z.string().max(RECEIPT_EVENT_BYTES);

/** 0–1 or above, rounded to six decimals. */
const score = z.number().nonnegative();
const legScore = score.nullable();

/** The parameters of a search besides its text, with every default filled in. */
const receiptParametersSchema = z.object({
  max_tokens: count,
  top_k: count,
  include_stale: z.boolean(),
  /** This and the rest on multi-hop searches only. */
  max_rounds: count.optional(),
  neighbor_line_radius: count.optional(),
  expand_neighbors: z.boolean().optional(),
  secondary_search: z.boolean().optional(),
});
export type ReceiptParameters = z.output<typeof receiptParametersSchema>;

/** Chunk, its source's index in `sources`, lexical, semantic and combined score, final score. */
export const receiptResultsSchema = z
  .array(z.tuple([id, count, legScore, legScore, legScore, score]))
  .max(MOST_RESULTS);
export type ReceiptResults = z.output<typeof receiptResultsSchema>;

/** The result of a code search: what was examined, and a digest of the matches. */
const receiptCodeSchema = z.object({
  /** Matching lines, and the documents that contain them. */
  lines: count,
  files: count,
  /** Documents that were examined as a whole. */
  documents: count,
  /** Lines of the next document that were examined; absent if none were. */
  partial_lines: count.optional(),
  complete: z.boolean(),
  /** Why it is not complete; absent where it is. */
  reason: z.string().max(64).optional(),
  /** SHA-256 over source, generation, path, line and ranges of each matching line. */
  digest: z.string().max(64),
});
export type ReceiptCode = z.output<typeof receiptCodeSchema>;

/**
 * The evidence of an answer. Policy and live generations are named by their positions in the log,
 * which never change. With the event's time as the clock, they reproduce the same search.
 */
export const receiptSchema = z.object({
  kind: z.enum(RECEIPT_KINDS),
  parameters: receiptParametersSchema,
  /**
   * First part of what was typed (query and filters), sealed; null where the key was destroyed
   * before.
   */
  request: sealedText.nullable(),
  /** Parts of it that follow as events. */
  request_parts: count,
  /**
   * The conversation that it was asked in, with whose key it is sealed; absent where that is the
   * tenant's.
   */
  conversation_id: id.optional(),
  /** The past moment that was searched, and its record of the trail; absent for the present. */
  as_of: z.object({ at: instant, seq: count.nullable() }).optional(),
  /** Revision of the policy's stream; null while the policy was never changed. */
  policy_revision: count.nullable(),
  /** The audiences whose sources were looked in; absent where that is the tenant alone. */
  audiences: z.array(audienceSchema).max(MOST_AUDIENCES).optional(),
  /**
   * The position of the last event that changed what is live of them; null while nothing ever was.
   */
  live_at: z.string().max(64).nullable(),
  /**
   * The position of the last event that changed which packages the tenant links; absent where none
   * was looked at.
   */
  links_at: z.string().max(64).optional(),
  /**
   * Some live content was missing and could not be searched: the same search cannot be reproduced.
   */
  incomplete: z.literal(true).optional(),
  /**
   * Models that the query was embedded with; content of any other was searched by its terms alone.
   */
  models: z.array(z.string().max(256)).max(8),
  /** Version of the ranking that ordered the results; absent for versions before 2. */
  ranking_version: count.optional(),
  /** Version of the retrievers; absent for versions before 2, which compared every vector. */
  retrieval_version: count.optional(),
  outcome: z.enum(['results', 'no_evidence']),
  /** Sources of the results: id, generation, priority. A hit's neighbor is of the hit's source. */
  sources: z.array(z.tuple([id, count, score])).max(MOST_TOP_K),
  /** The first results, in the answer's order. */
  results: receiptResultsSchema,
  /** Parts of the results that follow as events; absent where all are here. */
  result_parts: count.optional(),
  /** Only of code searches, whose results are not chunks. */
  code: receiptCodeSchema.optional(),
});
export type Receipt = z.output<typeof receiptSchema>;
