import { createHash } from 'node:crypto';

import type { Chunk } from '#contracts';

import type { SpecPartText } from '../openapi/rendered-part.js';
import { CHUNK_LIMITS } from './limits.js';
import { countO200k, cutBefore } from './tokens.js';

/** Maximum characters of a title that is repeated in every piece of a cut text. */
const MAX_TITLE = 400;

/**
 * Returns the chunks of a specification part: its prepared texts, cut further only if one has too
 * many tokens.
 */
export function specChunks(text: string): Chunk[] {
  const { symbol, defs, endpoint_key, schema_hash, texts } = JSON.parse(text) as SpecPartText;
  const chunks: Chunk[] = [];
  for (const content of texts.flatMap(withinTokens)) {
    chunks.push({
      ordinal: chunks.length,
      content,
      content_hash: createHash('sha256').update(content).digest('hex'),
      token_count: countO200k(content),
      symbol,
      // Only the first chunk has the definitions, so that a lookup by name leads to the start.
      defs: chunks.length === 0 ? defs : [],
      chunk_type: 'openapi',
      language: 'openapi',
      ...(endpoint_key !== undefined && { endpoint_key }),
      ...(schema_hash !== undefined && { schema_hash }),
    });
  }
  return chunks;
}

/**
 * Returns pieces of a text of whole lines within the token limit of a chunk, each below the title.
 */
function withinTokens(text: string): string[] {
  if (countO200k(text) <= CHUNK_LIMITS.hardTokens) return [text];
  const end = text.indexOf('\n') + 1;
  const title = end <= MAX_TITLE ? text.slice(0, end) : '';
  const rest = text.slice(title.length);
  const middle = rest.indexOf('\n', rest.length / 2);
  // A single line is below every limit, unless each of its characters is a token.
  const cut = middle === -1 ? cutBefore(rest, rest.length >> 1) : middle + 1;
  if (cut <= 0 || cut >= rest.length) return [text];
  return [rest.slice(0, cut), rest.slice(cut)].flatMap((half) =>
    withinTokens(`${title}${half.trimEnd()}`),
  );
}
