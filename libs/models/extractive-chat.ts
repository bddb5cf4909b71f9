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
      for (const [at, quote] of extractiveAnswer(standalone ?? question, passages).entries()) {
        const cited = evidence[quote.passage];
        if (!cited) continue;
        for (const text of quoted(quote, cited, evidence, at === 0)) {
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

function placeOf(
  { line, endLine, calledBy }: Quote,
  cited: Evidence,
  evidence: readonly Evidence[],
  isFirst: boolean,
): string {
  const lines =
    line === undefined ? '' : endLine === undefined || endLine === line ? `:${line}` : `:${line}-${endLine}`;
  const where = `${code(`${cited.path}${lines}`)}`;
  const what =
    cited.symbol === undefined
      ? where
      : `${cited.kind === 'docs' ? `“${quotableText(cited.symbol)}”` : code(cited.symbol)} in ${where}`;
  if (isFirst) return `The likeliest place is ${what}`;
  const caller = calledBy === undefined ? undefined : evidence[calledBy]?.symbol;
  return caller === undefined ? `See also ${what}` : `${code(caller)} calls ${what}`;
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
