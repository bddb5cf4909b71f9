import { extractiveAnswer, fenceFor, quotableLine, type Quote } from '#retrieval';

import type { ResearchPassage } from '../plan/action.types.js';
import type { CheckedClaim } from './compose-answer.js';
import { quotedWords } from './quoted-words.js';

/**
 * Returns claims that quote passages, one each. A claim names its place, then has the words or the
 * lines of the passage; nothing is rephrased.
 *
 * @param at numbers of the passages in the whole evidence
 */
export function quoteClaims(
  question: string,
  passages: readonly ResearchPassage[],
  at: readonly number[],
): CheckedClaim[] {
  const quotes = extractiveAnswer(
    question,
    passages.map(({ result: { content, citation } }) => ({
      content,
      startLine: citation.start_line,
      symbol: citation.symbol,
      isProse: citation.chunk_type !== 'code',
    })),
  );
  return quotes.flatMap((quote): CheckedClaim[] => {
    const passage = passages[quote.passage];
    const number = at[quote.passage];
    if (!passage || number === undefined) return [];
    return [{ text: quoted(quote, passage), passages: [number], support: 'quoted' }];
  });
}

function quoted(quote: Quote, { result: { citation } }: ResearchPassage): string {
  const { line, endLine } = quote;
  const lines =
    line === undefined ? '' : `:${line}${endLine === line ? '' : `-${endLine ?? line}`}`;
  const place = code(`${citation.path}${lines}`);
  const symbol = citation.symbol === undefined ? '' : `${code(citation.symbol)} in `;
  const words = quotedWords(quote.words);
  const shown = quote.lines.map(quotableLine);
  if (quote.isBrief) {
    const said = words !== '' ? words : shown[0] === undefined ? '' : code(shown[0].trim());
    return said === '' ? `${symbol}${place}` : `${symbol}${place}: ${said}`;
  }
  const fence = fenceFor(shown);
  return [
    `${symbol}${place}:`,
    ...(words === '' ? [] : [`> ${words}`]),
    ...(shown.length === 0 ? [] : [`${fence}\n${shown.join('\n')}\n${fence}`]),
  ].join('\n\n');
}

function code(text: string): string {
  return `\`${quotableLine(text).replaceAll('`', "'")}\``;
}
