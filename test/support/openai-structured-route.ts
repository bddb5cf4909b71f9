import type { ChatBody } from './openai-chat-route.js';

/** The ways to ask for an object, by the fields of a request. */
export type StructuredWay = 'jsonSchema' | 'functionCalling' | 'jsonMode';

/** The behavior of the stand-in for requests for objects. */
export interface StructuredScript {
  /** Ways that it knows. */
  readonly ways: readonly StructuredWay[];
  /** Whether it rejects the other ways, or ignores their fields and answers in prose. */
  readonly others: 'reject' | 'ignore';
  /** Returns the object, or a text in its place. */
  answer(body: ChatBody): object | string;
}

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 };

/** Returns the way by which a request asks for an object. */
export function wayOf({ tools, response_format }: ChatBody): StructuredWay {
  if (tools) return 'functionCalling';
  return response_format?.type === 'json_schema' ? 'jsonSchema' : 'jsonMode';
}

/** Returns the answer of `/chat/completions` to a request for an object. */
export function structuredBody(
  body: ChatBody,
  script: StructuredScript,
): { readonly status: number; readonly answer: object } {
  const way = wayOf(body);
  const isKnown = script.ways.includes(way);
  if (!isKnown && script.others === 'reject')
    return { status: 400, answer: { error: { message: `unknown field for ${way}` } } };
  const given = isKnown ? script.answer(body) : 'Certainly! Here is the plan.';
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const isCall = isKnown && way === 'functionCalling' && typeof given !== 'string';
  const call = { name: body.tools?.[0]?.function.name, arguments: text };
  const message = isCall
    ? {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: call }],
      }
    : { role: 'assistant', content: text };
  const choices = [{ index: 0, message, finish_reason: isCall ? 'tool_calls' : 'stop' }];
  return { status: 200, answer: { id: 'x', model: body.model, choices, usage: USAGE } };
}
