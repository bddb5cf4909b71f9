import { fenceFor, visibleText } from '#retrieval';

import type { ChatRequest, ChatTurn, Evidence } from '../chat-model.port.js';

export interface PromptMessage {
  readonly role: 'system' | ChatTurn['role'];
  readonly text: string;
}

/**
 * Returns the input of a language model: instructions, earlier turns, then the evidence, numbered
 * and fenced, with the question. Everything except the instructions is stripped of characters that
 * are invisible on a page.
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

/** Returns one line, whatever a path contains. */
function placeOf({ path, startLine, sourceName }: Evidence): string {
  const place = startLine === undefined ? path : `${path}:${startLine}`;
  return visibleText(sourceName === undefined ? place : `${sourceName}, ${place}`).replace(
    /\s+/g,
    ' ',
  );
}
