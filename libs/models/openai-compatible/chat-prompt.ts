import type { ChatRequest, ChatTurn, Evidence } from '../chat-model.port.js';
import { visibleText } from './visible-text.js';

export interface PromptMessage {
  readonly role: 'system' | ChatTurn['role'];
  readonly text: string;
}

const SHORTEST_FENCE = 3;

/**
 * What a language model reads: instructions, earlier turns, then the evidence, numbered and fenced,
 * with the question. Of everything but the instructions what no person sees on a page is taken out.
 */
export function chatPrompt({
  instructions,
  history,
  question,
  evidence,
}: ChatRequest): readonly PromptMessage[] {
  const passages = evidence.map((each) => ({
    place: placeOf(each),
    content: visibleText(each.content),
  }));
  const fence = fenceFor(passages.map(({ content }) => content));
  const numbered = passages.map(
    ({ place, content }, at) => `[${at + 1}] ${place}\n${fence}\n${content}\n${fence}\n\n`,
  );
  return [
    { role: 'system', text: instructions },
    ...history.map(({ role, text }) => ({ role, text: visibleText(text) })),
    { role: 'user', text: `${numbered.join('')}${visibleText(question)}` },
  ];
}

/** Backticks, more in a row than any passage has: what is indexed cannot end its own fence. */
function fenceFor(contents: readonly string[]): string {
  const runs = contents.flatMap((content) => content.match(/`+/g) ?? []);
  return '`'.repeat(
    runs.reduce((longest, run) => Math.max(longest, run.length + 1), SHORTEST_FENCE),
  );
}

/** One line, whatever a path may hold. */
function placeOf({ path, startLine, sourceName }: Evidence): string {
  const place = startLine === undefined ? path : `${path}:${startLine}`;
  return visibleText(sourceName === undefined ? place : `${sourceName}, ${place}`).replace(
    /\s+/g,
    ' ',
  );
}
