import type { SearchResult } from '#contracts';
import type { ChatCitationView } from '#contracts/http/index';
import type { Evidence } from '#models';

/** Characters of a passage that a citation shows. */
const EXCERPT = 1_000;

/** The part of a search result that a model receives. */
export function evidenceOf({
  content,
  score,
  citation: { path, symbol, start_line, source_name, chunk_type, language },
}: SearchResult): Evidence {
  return {
    path,
    content,
    startLine: start_line,
    sourceName: source_name,
    symbol,
    kind: chunk_type,
    language,
    score,
  };
}

/** The cited results, in the order of their numbers. */
export function citationsOf(
  results: readonly SearchResult[],
  cited: ReadonlySet<number>,
): ChatCitationView[] {
  return results.flatMap((result, at) => (cited.has(at + 1) ? citationOf(result, at + 1) : []));
}

function citationOf({ content, score, citation }: SearchResult, number: number): ChatCitationView {
  const { source_name, path, source_id, chunk_id, symbol, start_line, end_line, version_ref, url } =
    citation;
  return {
    number,
    source_name,
    content: excerptOf(content),
    score: Math.min(1, score),
    path,
    source_id,
    chunk_id,
    ...(symbol === undefined ? {} : { symbol }),
    ...(start_line === undefined ? {} : { start_line }),
    ...(end_line === undefined ? {} : { end_line }),
    version_ref,
    ...(url === undefined ? {} : { url }),
  };
}

/** Whole lines where there are some, and never half a character. */
function excerptOf(content: string): string {
  if (content.length <= EXCERPT) return content;
  const cut = content
    .slice(0, EXCERPT)
    .toWellFormed()
    .replace(/\uFFFD$/u, '');
  const line = cut.lastIndexOf('\n');
  return `${line > EXCERPT / 2 ? cut.slice(0, line) : cut}…`;
}
