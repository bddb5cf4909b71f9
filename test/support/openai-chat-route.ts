import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** The fields of a chat request that tests look at. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly max_tokens?: number;
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly name: string };
  };
}

/**
 * The premature end of a streamed answer. With `slow` the answer is whole, with a pause before each
 * token.
 */
export type ChatBreak =
  'garbage' | 'stall' | 'break' | 'cut' | 'endless' | 'huge' | 'overflow' | 'slow';

/** The pause of a slow answer, milliseconds. */
const PAUSE_MS = 250;

/**
 * Returns the words of the stand-in, a token a word. It cites the first passage if there is one,
 * and rewrites every question in the same way.
 */
export function scriptedAnswer({ messages }: ChatBody): readonly string[] {
  if (messages[0]?.content.includes('stands alone'))
    return ['Which', ' entry', ' does the cache', ' evict', ' first?'];
  const question = messages.at(-1)?.content ?? '';
  return question.includes('[1] ')
    ? ['The', ' cache', ' evicts', ' the', ' oldest', ' [1].']
    : ['Nothing', ' is', ' known.'];
}

/**
 * Streams the answer as `/chat/completions` does; with `broken` but for `slow`, only its first two
 * tokens and then that.
 */
export async function streamChat(
  response: ServerResponse,
  body: ChatBody,
  broken: ChatBreak | undefined,
  forever: () => Promise<void>,
  script: (body: ChatBody) => readonly string[] = scriptedAnswer,
): Promise<void> {
  const send = (value: object) =>
    response.write(`data: ${JSON.stringify({ object: 'chat.completion.chunk', ...value })}\n\n`);
  const choice = (content: string, finish_reason: string | null = null) =>
    send({
      model: body.model,
      choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason }],
    });
  const whole = script(body);
  const tokens = whole.slice(0, body.max_tokens);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const isWhole = broken === undefined || broken === 'slow';
  for (const token of isWhole ? tokens : tokens.slice(0, 2)) {
    if (broken === 'slow') await delay(PAUSE_MS);
    choice(token);
  }
  switch (broken) {
    case 'garbage':
      response.end('data: {"choices": [\n\n');
      return;
    case 'stall':
      return forever();
    case 'break':
      // What was written leaves first: it is the middle of the answer that breaks.
      setTimeout(() => response.destroy(), 20);
      return;
    case 'cut':
      response.end();
      return;
    case 'huge':
      choice('x'.repeat(10 * 1024 * 1024), 'stop');
      response.end('data: [DONE]\n\n');
      return;
    case 'overflow':
      // As llama.cpp's server does where prompt and answer together grow over what the model reads.
      response.end(
        'data: {"error": {"code": 500, "message": "Context size has been exceeded."}}\n\n',
      );
      return;
    case 'endless': {
      const more = () => {
        while (!response.destroyed) if (!choice('x'.repeat(64 * 1024))) return;
      };
      response.on('drain', more);
      more();
      return;
    }
    default:
      choice('', tokens.length < whole.length ? 'length' : 'stop');
      if (body.stream_options?.include_usage) {
        const usage = {
          prompt_tokens: 7,
          completion_tokens: tokens.length,
          total_tokens: 7 + tokens.length,
        };
        send({ model: body.model, choices: [], usage });
      }
      response.end('data: [DONE]\n\n');
  }
}
