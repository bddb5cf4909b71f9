import type { AIMessage } from '@langchain/core/messages';

/** Characters of an answer that are read, and that are repeated in a repair. */
const MOST_READ = 1_000_000;
const MOST_REPEATED = 4_000;
const FENCED = /^```[a-z]*\n([\s\S]*)\n```$/i;

/** The object in an answer; undefined if it has none. */
export interface AnsweredValue {
  readonly value: object | undefined;
  /** The answer as text, cut. */
  readonly text: string;
}

/** Returns the object of an answer: the arguments of its first call, or its text as JSON. */
export function answeredValue(message: AIMessage): AnsweredValue {
  const [call] = message.tool_calls ?? [];
  if (call) return { value: call.args, text: repeated(JSON.stringify(call.args)) };
  const text = message.text.trim();
  return { value: objectIn(text), text: repeated(text) };
}

function objectIn(text: string): object | undefined {
  if (text.length > MOST_READ) return undefined;
  try {
    const value: unknown = JSON.parse(FENCED.exec(text)?.[1] ?? text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function repeated(text: string): string {
  return text.slice(0, MOST_REPEATED).toWellFormed();
}
