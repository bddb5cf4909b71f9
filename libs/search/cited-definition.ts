import type { ChunkDefinition } from '#contracts';
import { type AnalyzedQuery, askedDefinition } from '#retrieval';
import type { Candidate } from '#search-index';

/** The part of a chunk that an answer shows. */
export interface Cited {
  readonly content: string;
  readonly symbol: string | undefined;
  readonly startLine: number | undefined;
  readonly endLine: number | undefined;
}

/**
 * Returns the chunk as the query found it. For a query that is one name, that is the definition of
 * that name and nothing else. For any other it is the whole chunk, under the symbol of the
 * requested definition. Content equals the cited lines byte for byte either way.
 */
export function citedDefinition(
  query: AnalyzedQuery,
  candidate: Candidate,
  content: string,
): Cited {
  const { symbol, startLine, endLine } = candidate;
  const whole = { content, symbol, startLine, endLine };
  const asked = askedDefinition(query, candidate);
  if (!asked) return whole;
  if (startLine === undefined || !showsDefinitionAlone(query, candidate))
    return { ...whole, symbol: asked.symbol };
  return { ...linesOf(asked, content, startLine), symbol: asked.symbol };
}

/**
 * Returns whether an answer shows a definition of the chunk in place of the chunk; works without
 * its text.
 */
export function showsDefinitionAlone({ identifier }: AnalyzedQuery, candidate: Candidate): boolean {
  return (
    identifier !== undefined && candidate.defines(identifier) && candidate.definitions.length > 0
  );
}

function linesOf(
  { start_line: startLine, end_line: endLine }: ChunkDefinition,
  content: string,
  first: number,
) {
  const lines = content.split('\n').slice(startLine - first, endLine - first + 1);
  return { content: lines.join('\n'), startLine, endLine };
}
