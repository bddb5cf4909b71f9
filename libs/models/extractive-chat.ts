import { extractiveAnswer, type Quote } from '#retrieval';

import type { ChatModel, Evidence } from './chat-model.port.js';
import { visibleText } from './openai-compatible/visible-text.js';
import { quotableLine, quotableText } from './quotable-text.js';

/**
 * The default model: says where the answer stands and quotes it, what the passage says about itself before its lines, each
 * quote with its citation. It puts nothing into other words, so it makes nothing up; where no passage has a word of the question,
 * its answer is empty.
 */
export function createExtractiveChat(): ChatModel {
  return {
    id: 'extractive-v1',
    async *answer({ question, standalone, evidence }, signal) {
      signal?.throwIfAborted();
      const passages = evidence.map((each) => ({ ...each, isProse: each.kind !== undefined && each.kind !== 'code' }));
      let before: Quote | undefined;
      for (const quote of extractiveAnswer(standalone ?? question, passages)) {
        const cited = evidence[quote.passage];
        if (!cited) continue;
        const parts = quote.isBrief
          ? pointed(quote, cited, before?.isBrief ?? false)
          : quoted(quote, cited, evidence, before === undefined);
        before = quote;
        for (const text of parts) {
          yield { type: 'text', text };
          signal?.throwIfAborted();
        }
      }
      yield { type: 'end', usage: null };
    },
  };
}

/** The parts of one quote: where it stands, what it says, its lines. */
function* quoted(quote: Quote, cited: Evidence, evidence: readonly Evidence[], isFirst: boolean): Generator<string> {
  yield `${isFirst ? '' : '\n'}${placeOf(quote, cited, evidence, isFirst)} [${quote.passage + 1}]:\n`;
  const words = quotableText(quote.words);
  if (words !== '') yield `\n> ${words}\n`;
  if (quote.lines.length > 0) {
    const lines = quote.lines.map(quotableLine);
    const fence = fenceFor(lines);
    yield `\n${fence}\n${lines.join('\n')}\n${fence}\n`;
  }
}

/** A place of a list, with the one thing that it says. */
function* pointed(quote: Quote, cited: Evidence, isListed: boolean): Generator<string> {
  if (!isListed) yield '\nLess likely, but worth a look:\n\n';
  const words = quotableText(quote.words);
  const [line = ''] = quote.lines.map(quotableLine);
  const said = words !== '' ? words : line !== '' ? code(line) : '';
  yield `- ${whatOf(quote, cited)} [${quote.passage + 1}]${said === '' ? '' : `: ${said}`}\n`;
}

function placeOf(quote: Quote, cited: Evidence, evidence: readonly Evidence[], isFirst: boolean): string {
  const what = whatOf(quote, cited);
  if (isFirst) return `The likeliest place is ${what}`;
  const caller = quote.calledBy === undefined ? undefined : evidence[quote.calledBy]?.symbol;
  return caller === undefined ? `See also ${what}` : `${code(caller)} calls ${what}`;
}

function whatOf({ line, endLine }: Quote, cited: Evidence): string {
  const lines =
    line === undefined ? '' : endLine === undefined || endLine === line ? `:${line}` : `:${line}-${endLine}`;
  const where = `${code(`${cited.path}${lines}`)}`;
  if (cited.symbol === undefined) return where;
  return `${cited.kind === 'docs' ? `“${quotableText(cited.symbol)}”` : code(cited.symbol)} in ${where}`;
}

/** As code, which has no marks in it; where its own backticks would end it, as words. */
function code(text: string): string {
  const shown = visibleText(text).replace(/\s+/g, ' ');
  return shown.includes('`') ? `"${quotableText(shown).replaceAll('`', "'")}"` : `\`${shown}\``;
}

/** Backticks, more in a row than any line has: a quote cannot end its own fence. */
function fenceFor(lines: readonly string[]): string {
  const longest = Math.max(2, ...lines.flatMap((line) => (line.match(/`+/g) ?? []).map(({ length }) => length)));
  return '`'.repeat(longest + 1);
}
