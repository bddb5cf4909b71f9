import type { ChatModel, ChatRequest, ChatUsage } from '#models';

import type { CitationMarks } from './citation-marks.js';

/**
 * The pieces of a model's answer as they may be shown, none of them empty.
 * @param marks checks its citations, and knows afterwards which there were
 * @returns what the model counted
 */
export async function* markedAnswer(
  model: ChatModel,
  asked: ChatRequest,
  marks: CitationMarks,
  signal?: AbortSignal,
): AsyncGenerator<string, ChatUsage | null> {
  let usage: ChatUsage | null = null;
  for await (const part of model.answer(asked, signal)) {
    if (part.type === 'end') usage = part.usage;
    const shown = part.type === 'end' ? marks.end() : marks.push(part.text);
    if (shown !== '') yield shown;
  }
  return usage;
}
