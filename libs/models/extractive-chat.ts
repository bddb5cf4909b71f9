import {
  extractiveAnswer,
  fenceFor,
  quotableLine,
  quotableText,
  type Quote,
  visibleText,
} from '#retrieval';

import type { ChatModel, Evidence } from './chat-model.port.js';

/** Most places that an answer cites; people check few. */
const MOST_PLACES = 5;
/**
 * Score of the search from which the first place is called the likeliest. From there its file is
 * right or acceptable in two of three cases (docs/evaluation/chat.md).
 */
const LIKELIEST_SCORE = 0.7;
/** Languages of configuration, as citations show them. */
const CONFIGURATION: ReadonlySet<string> = new Set(['ini', 'json', 'toml', 'xml', 'yaml']);

const OTHERS = '\nLess likely, but worth a look:\n\n';
const BY_MEANING_ALONE =
  'Nothing that was found has a word of the question. Nearest in meaning are:\n\n';

/** A quote with its passage. */
interface Place {
  readonly quote: Quote;
  readonly cited: Evidence;
}

/**
 * Creates the default model. It names the first place of the evidence and quotes it: what the
 * passage says about itself before its lines, each quote with its citation. At most four others
 * follow. It does not rephrase, so it invents nothing. Without evidence its answer is empty.
 */
export function createExtractiveChat(): ChatModel {
  return {
    id: 'extractive-v1',
    async *answer({ question, standalone, evidence }, signal) {
      signal?.throwIfAborted();
      const passages = evidence.map((each) => ({
        ...each,
        isProse: each.kind !== undefined && each.kind !== 'code',
        isConfiguration: CONFIGURATION.has(each.language ?? ''),
      }));
      const quotes = extractiveAnswer(standalone ?? question, passages, {
        limit: MOST_PLACES,
        isRanked: true,
      });
      for (const text of reported(quotes, evidence)) {
        yield { type: 'text', text };
        signal?.throwIfAborted();
      }
      yield { type: 'end', usage: null };
    },
  };
}

/** Yields the long quotes, then a list of the other places, one line per document. */
function* reported(quotes: readonly Quote[], evidence: readonly Evidence[]): Generator<string> {
  const places = quotes.flatMap((quote): Place[] => {
    const cited = evidence[quote.passage];
    return cited ? [{ quote, cited }] : [];
  });
  const shown = places.filter(({ quote }) => !quote.isBrief);
  for (const [at, place] of shown.entries()) yield* quoted(place, evidence, at === 0);
  const listed = Map.groupBy(
    places.filter(({ quote }) => quote.isBrief),
    ({ cited: { sourceName = '', path } }) => `${sourceName}\n${path}`,
  );
  if (listed.size > 0) yield shown.length > 0 ? OTHERS : BY_MEANING_ALONE;
  for (const document of listed.values()) yield pointed(document);
}

/** Yields the parts of one quote: place, statement, lines. */
function* quoted(place: Place, evidence: readonly Evidence[], isFirst: boolean): Generator<string> {
  const { quote, cited } = place;
  yield `${isFirst ? '' : '\n'}${placeOf(quote, cited, evidence, isFirst)} [${quote.passage + 1}]:\n`;
  const words = quotableText(quote.words);
  if (words !== '') yield `\n> ${words}\n`;
  if (quote.lines.length > 0) {
    const lines = quote.lines.map(quotableLine);
    const fence = fenceFor(lines);
    yield `\n${fence}\n${lines.join('\n')}\n${fence}\n`;
  }
}

/** Returns a line of the list: the places of a document, and the statement of the first of them. */
function pointed(document: readonly Place[]): string {
  const places = document
    .map(({ quote, cited }) => `${whatOf(quote, cited)} [${quote.passage + 1}]`)
    .join(', ');
  const quote = document[0]?.quote;
  const words = quotableText(quote?.words ?? '');
  const [line = ''] = (quote?.lines ?? []).map(quotableLine);
  const sentence = words !== '' ? words : line !== '' ? code(line) : '';
  return `- ${places}${sentence === '' ? '' : `: ${sentence}`}\n`;
}

function placeOf(
  quote: Quote,
  cited: Evidence,
  evidence: readonly Evidence[],
  isFirst: boolean,
): string {
  const what = whatOf(quote, cited);
  if (isFirst) {
    const isLikely = (cited.score ?? 0) >= LIKELIEST_SCORE;
    return `${isLikely ? 'The likeliest place is' : 'A possible place is'} ${what}`;
  }
  const caller = quote.calledBy === undefined ? undefined : evidence[quote.calledBy]?.symbol;
  return caller === undefined ? `See also ${what}` : `${code(caller)} calls ${what}`;
}

function whatOf({ line, endLine }: Quote, cited: Evidence): string {
  const lines =
    line === undefined
      ? ''
      : endLine === undefined || endLine === line
        ? `:${line}`
        : `:${line}-${endLine}`;
  const where = `${code(`${cited.path}${lines}`)}`;
  if (cited.symbol === undefined) return where;
  return `${cited.kind === 'docs' ? `“${quotableText(cited.symbol)}”` : code(cited.symbol)} in ${where}`;
}

/**
 * Formats text as code, in which nothing is markup; as words if its own backticks would end the
 * code.
 */
function code(text: string): string {
  const shown = visibleText(text).replace(/\s+/g, ' ');
  return shown.includes('`') ? `"${quotableText(shown).replaceAll('`', "'")}"` : `\`${shown}\``;
}
