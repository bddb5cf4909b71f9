import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  type UsageMetadata,
} from '@langchain/core/messages';
import { z } from 'zod';

import type { ChatUsage } from '../chat-usage.js';
import { ModelError } from '../model-error.js';
import type { RemoteEndpoint } from '../remote/remote-endpoint.js';
import type {
  StructuredAnswer,
  StructuredModel,
  StructuredRequest,
} from './structured-model.port.js';
import { answeredValue } from './structured-value.js';

/** The ways to ask for an object, in the order in which they are tried. */
const METHODS = ['jsonSchema', 'functionCalling', 'jsonMode'] as const;
type Method = (typeof METHODS)[number];

/** Requests by one way until the model counts as unavailable. */
const MAX_ATTEMPTS = 2;
/** Nearly all text has more characters per token than this. */
const CHARACTERS_PER_TOKEN = 3;
/** Statuses of servers that do not know a field of the request. */
const UNKNOWN_FIELD = new Set([400, 404, 422, 501]);
const UNKNOWN_METHOD = /\bmethods?\b|not support|unsupported/i;
const UNKNOWN = 'The client of the chat model does not know this way to ask for an object';
const REFUSED = { kind: 'refused', statusCode: 501 } as const;
const MOST_ISSUES = 5;

export interface StructuredChatOptions {
  readonly endpoint: RemoteEndpoint;
  /** Opens the model for one request; the signal ends the request. */
  readonly open: (signal: AbortSignal) => BaseChatModel;
}

/** The outcome of one way to ask. */
type Outcome =
  | { readonly kind: 'message'; readonly message: AIMessage }
  | { readonly kind: 'rejected'; readonly error: unknown }
  | { readonly kind: 'over_budget' };

/**
 * Asks a chat model of LangChain for objects by its `withStructuredOutput`. The first way that
 * works is remembered, so that later requests begin with it.
 */
export class StructuredChat implements StructuredModel {
  private first = 0;

  constructor(private readonly options: StructuredChatOptions) {}

  async ask<Output>(
    request: StructuredRequest<Output>,
    signal: AbortSignal,
  ): Promise<StructuredAnswer<Output>> {
    signal.throwIfAborted();
    const time = AbortSignal.timeout(Math.max(1, request.timeoutMs));
    const all = AbortSignal.any([signal, time]);
    let last: StructuredAnswer<Output> | undefined;
    let rejection: unknown;
    for (const [at, method] of METHODS.entries()) {
      if (at < this.first) continue;
      const outcome = await this.send(method, request, { signal, all });
      if (outcome.kind === 'over_budget') return last ?? outcome;
      if (outcome.kind === 'rejected') {
        rejection = outcome.error;
        continue;
      }
      const { value, text } = answeredValue(outcome.message);
      if (value !== undefined) {
        this.first = at;
        return checked(request.schema, value, text);
      }
      last = { kind: 'invalid', text, problem: 'The answer must be one JSON object' };
    }
    if (last) return last;
    throw this.options.endpoint.asError(rejection);
  }

  private async send<Output>(
    method: Method,
    request: StructuredRequest<Output>,
    { signal, all }: { readonly signal: AbortSignal; readonly all: AbortSignal },
  ): Promise<Outcome> {
    const { endpoint } = this.options;
    const messages = messagesOf(request);
    const length = messages.reduce((sum, { text }) => sum + text.length, 0);
    const promptTokens = Math.ceil(length / CHARACTERS_PER_TOKEN);
    if (!request.meter.allows(promptTokens)) return { kind: 'over_budget' };
    const work = () => endpoint.request(() => this.message(method, request, messages, all), all);
    try {
      const message = await endpoint.promptly(work, all, MAX_ATTEMPTS);
      request.meter.add(usageOf(message, promptTokens));
      return { kind: 'message', message };
    } catch (error) {
      const { statusCode, kind } = endpoint.asError(error);
      // The model may have worked on a request without an answer.
      if (statusCode === undefined) request.meter.add({ promptTokens, completionTokens: 0 });
      signal.throwIfAborted();
      const unknown = statusCode !== undefined && UNKNOWN_FIELD.has(statusCode);
      if (unknown && kind !== 'too_large') return { kind: 'rejected', error };
      if (!all.aborted) throw error;
      const seconds = request.timeoutMs / 1_000;
      const text = `The chat model did not answer within ${seconds} s`;
      throw new ModelError(text, { kind: 'too_slow', cause: error });
    }
  }

  private async message<Output>(
    method: Method,
    { name, schema }: StructuredRequest<Output>,
    messages: BaseMessage[],
    signal: AbortSignal,
  ): Promise<AIMessage> {
    const strict = method === 'jsonSchema' ? { strict: true } : {};
    const options = { name, method, includeRaw: true, ...strict } as const;
    try {
      const model = this.options.open(signal).withStructuredOutput(z.toJSONSchema(schema), options);
      const { raw } = await model.invoke(messages, { signal });
      return raw as AIMessage;
    } catch (error) {
      // The client parses an answer of a schema itself; prose is no failure of the endpoint.
      if (error instanceof SyntaxError) return new AIMessage('');
      throw isUnknownMethod(error) ? new ModelError(UNKNOWN, { ...REFUSED, cause: error }) : error;
    }
  }
}

/** Returns whether a client rejected the way to ask before any request. */
function isUnknownMethod(error: unknown): boolean {
  return error instanceof Error && !('status' in error) && UNKNOWN_METHOD.test(error.message);
}

function messagesOf<Output>({
  instructions,
  schema,
  text,
  rejected,
}: StructuredRequest<Output>): BaseMessage[] {
  const form = JSON.stringify(z.toJSONSchema(schema));
  return [
    new SystemMessage(`${instructions}\n\nAnswer with one JSON object of this schema:\n${form}`),
    new HumanMessage(text),
    ...(rejected
      ? [
          new AIMessage(rejected.text),
          new HumanMessage(
            `${rejected.problem}. Answer again, with a corrected JSON object alone.`,
          ),
        ]
      : []),
  ];
}

function checked<Output>(
  schema: z.ZodType<Output>,
  value: object,
  text: string,
): StructuredAnswer<Output> {
  const result = schema.safeParse(value);
  if (result.success) return { kind: 'answered', value: result.data };
  const issues = result.error.issues
    .slice(0, MOST_ISSUES)
    .map(({ path, message }) => `${path.join('.') || 'the object'}: ${message}`);
  return { kind: 'invalid', text, problem: `The object does not fit: ${issues.join('; ')}` };
}

/** Returns the tokens as the model counts them; servers that count none report 0. */
function usageOf({ usage_metadata }: AIMessage, promptTokens: number): ChatUsage {
  const usage = usage_metadata as UsageMetadata | undefined;
  return {
    promptTokens: usage?.input_tokens || promptTokens,
    completionTokens: usage?.output_tokens ?? 0,
  };
}
