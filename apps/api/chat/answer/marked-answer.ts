import type { ChatModel, ChatRequest, ChatUsage } from '#models';

import type { CitationMarks } from './citation-marks.js';

/** The end of a model's answer. */
export interface AnswerEnd {
  /** Its token counts. */
  readonly usage: ChatUsage | null;
  /** A limit of tokens ended it in its middle. */
  readonly truncated: boolean;
}

/**
 * The pieces of a model's answer as they may be shown, none of them empty.
 * @param marks checks its citations, and knows afterwards which there were
 */
export async function* markedAnswer(
  model: ChatModel,
  asked: ChatRequest,
  marks: CitationMarks,
  signal?: AbortSignal,
): AsyncGenerator<string, AnswerEnd> {
  let end: AnswerEnd = { usage: null, truncated: false };
  for await (const part of model.answer(asked, signal)) {
    if (part.type === 'end') end = { usage: part.usage, truncated: part.truncated ?? false };
    const shown = part.type === 'end' ? marks.end() : marks.push(part.text);
    if (shown !== '') yield shown;
  }
  return end;
}
