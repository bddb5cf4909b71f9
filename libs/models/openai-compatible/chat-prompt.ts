import type { ChatRequest, ChatTurn, Evidence } from '../chat-model.port.js';

export interface PromptMessage {
  readonly role: 'system' | ChatTurn['role'];
  readonly text: string;
}

const SHORTEST_FENCE = 3;

/** What a language model reads: instructions, earlier turns, then the evidence, numbered and fenced, with the question. */
export function chatPrompt({ instructions, history, question, evidence }: ChatRequest): readonly PromptMessage[] {
  const fence = fenceFor(evidence);
  const passages = evidence.map((each, at) => `[${at + 1}] ${placeOf(each)}\n${fence}\n${each.content}\n${fence}\n\n`);
  return [
    { role: 'system', text: instructions },
    ...history,
    { role: 'user', text: `${passages.join('')}${question}` },
  ];
}

/** Backticks, more in a row than any passage has: what is indexed cannot end its own fence. */
function fenceFor(evidence: readonly Evidence[]): string {
  const runs = evidence.flatMap(({ content }) => content.match(/`+/g) ?? []);
  return '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), SHORTEST_FENCE));
}

/** One line, whatever a path may hold. */
function placeOf({ path, startLine }: Evidence): string {
  const name = path.replace(/\p{Cc}/gu, ' ');
  return startLine === undefined ? name : `${name}:${startLine}`;
}
