import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { type ChatBody, type ChatBreak, scriptedAnswer, streamChat } from './openai-chat-route.js';
import { structuredBody, type StructuredScript } from './openai-structured-route.js';
import { wordVector } from './word-meaning.js';

/** The answer to one request in place of vectors. */
export type Misbehavior =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly retryAfter?: number;
      readonly message?: string;
    }
  /** One vector of the answer is bad: not a number, all zero, or too short. */
  | { readonly kind: 'nan' | 'zero' | 'narrow' }
  /**
   * A vector less than texts; a body that is no JSON; the right vectors in another order, each with
   * its index.
   */
  | { readonly kind: 'short' | 'garbage' | 'shuffled' }
  /** No answer at all; an answer that stops in its middle. */
  | { readonly kind: 'hang' | 'stall' | 'reset' }
  /**
   * A fault of a chat: after two words, the connection breaks, the stream ends, or a word repeats
   * for ever; or all words come slowly.
   */
  | { readonly kind: ChatBreak };

export interface EndpointOptions {
  readonly port?: number;
  /** Default 64. */
  readonly dimensions?: number;
  /** Milliseconds that each request takes. */
  readonly latencyMs?: number;
  /**
   * Texts a second, one request at a time: as a model on a slow processor, it goes on with requests
   * whose client has left.
   */
  readonly textsPerSecond?: number;
  /** Every so many requests one is answered with status 500. */
  readonly failEvery?: number;
  /** Requests with a longer text are refused with status 413. */
  readonly maxCharacters?: number;
  /** The least cosine between any two texts, as models have that find everything alike. */
  readonly baseline?: number;
}

export interface EndpointRequest {
  /** When it came, milliseconds. */
  readonly at: number;
  readonly input: readonly string[];
  readonly model: string;
  readonly dimensions: number | undefined;
  readonly authorization: string | undefined;
  readonly misbehavior: Misbehavior | undefined;
}

/**
 * A stand-in for an OpenAI-compatible endpoint of an embedding and a chat model, on 127.0.0.1.
 * Texts that share words or their synonyms are near; what is chatted follows a script.
 */
export class OpenAiEndpoint {
  /** For embeddings. */
  readonly requests: EndpointRequest[] = [];
  /** For chat. */
  readonly chats: { readonly body: ChatBody; readonly authorization: string | undefined }[] = [];
  /** When each of them came, and when the first part of its answer was written: milliseconds. */
  readonly chatTimes: { readonly at: number; toldAt: number }[] = [];
  /** Taken by the next requests, one each. */
  readonly next: Misbehavior[] = [];
  /** Taken by every request after `next` is used up, while it is set. */
  always: Misbehavior | undefined;
  /** Asked for each request after that. */
  when: (input: readonly string[]) => Misbehavior | undefined = () => undefined;
  /** The answer of a chat, one token per item. */
  script: (body: ChatBody) => readonly string[] = scriptedAnswer;
  /** The answers with objects; without one, every chat is streamed. */
  structured: StructuredScript | undefined;
  /** Holds the answers with objects while its promise is pending. */
  holdStructured: ((body: ChatBody) => Promise<unknown> | undefined) | undefined;
  /** Requests being answered now, and the most there were at a time. */
  active = 0;
  /** Connections that were ever made, and those that are open. */
  connections = 0;
  open = 0;
  mostActive = 0;
  /** Requests for vectors whose client left before their answer was whole. */
  abandoned = 0;
  private worked: Promise<unknown> = Promise.resolve();
  private readonly closing = new AbortController();

  private constructor(
    private readonly server: Server,
    private readonly options: EndpointOptions,
  ) {}

  static async start(options: EndpointOptions = {}): Promise<OpenAiEndpoint> {
    const server = createServer();
    const endpoint = new OpenAiEndpoint(server, options);
    server.on('connection', (socket) => {
      endpoint.connections += 1;
      endpoint.open += 1;
      socket.on('close', () => (endpoint.open -= 1));
    });
    server.on('request', (request, response) => {
      endpoint.answer(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
    });
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Every text that was embedded, in the order of the requests that succeeded. */
  get embedded(): readonly string[] {
    return this.requests.flatMap(({ input, misbehavior }) =>
      misbehavior === undefined ? input : [],
    );
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST' && request.url === '/v1/chat/completions')
      return this.chat(request, response);
    if (request.method !== 'POST' || request.url !== '/v1/embeddings')
      return send(response, 404, errorBody('no route'));
    response.once('close', () => (this.abandoned += response.writableFinished ? 0 : 1));
    this.active += 1;
    this.mostActive = Math.max(this.mostActive, this.active);
    try {
      const body = JSON.parse(await read(request)) as RequestBody;
      const input = typeof body.input === 'string' ? [body.input] : body.input;
      const misbehavior = this.misbehaviorFor(input);
      const { authorization } = request.headers;
      this.requests.push({
        at: performance.now(),
        input,
        model: body.model,
        dimensions: body.dimensions,
        authorization,
        misbehavior,
      });
      if (this.options.latencyMs)
        await delay(this.options.latencyMs, undefined, { signal: this.closing.signal });
      if (this.options.textsPerSecond)
        await this.work((input.length / this.options.textsPerSecond) * 1_000);
      await this.send(response, body, input, misbehavior);
    } finally {
      this.active -= 1;
    }
  }

  /** Waits for its turn, and then for as long as the work takes. */
  private async work(milliseconds: number): Promise<void> {
    const turn = this.worked.then(() =>
      delay(milliseconds, undefined, { signal: this.closing.signal }),
    );
    this.worked = turn.catch(() => undefined);
    await turn;
  }

  private async chat(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.active += 1;
    // The answer is streamed: it is worked on until it ends or the client goes away.
    response.once('close', () => (this.active -= 1));
    const at = performance.now();
    const body = JSON.parse(await read(request)) as ChatBody;
    this.chats.push({ body, authorization: request.headers.authorization });
    const times = { at, toldAt: at };
    this.chatTimes.push(times);
    const misbehavior = this.next.shift() ?? this.always;
    switch (misbehavior?.kind) {
      case 'status':
        return refuse(response, misbehavior);
      case 'reset':
        response.destroy();
        return;
      case 'hang':
        return this.forever();
      default:
        times.toldAt = performance.now();
        if (!body.stream && this.structured) {
          await this.holdStructured?.(body);
          const { status, answer } = structuredBody(body, this.structured);
          return send(response, status, JSON.stringify(answer));
        }
        return streamChat(
          response,
          body,
          misbehavior?.kind as ChatBreak | undefined,
          () => this.forever(),
          this.script,
        );
    }
  }

  private misbehaviorFor(input: readonly string[]): Misbehavior | undefined {
    const { failEvery, maxCharacters } = this.options;
    const chosen = this.next.shift() ?? this.always ?? this.when(input);
    if (chosen) return chosen;
    if (failEvery && (this.requests.length + 1) % failEvery === 0)
      return { kind: 'status', status: 500 };
    if (maxCharacters !== undefined && input.some((text) => text.length > maxCharacters)) {
      return { kind: 'status', status: 413 };
    }
    return undefined;
  }

  private async send(
    response: ServerResponse,
    body: RequestBody,
    input: readonly string[],
    misbehavior: Misbehavior | undefined,
  ): Promise<void> {
    switch (misbehavior?.kind) {
      case 'status':
        return refuse(response, misbehavior);
      case 'garbage':
        return send(response, 200, '{"data": [');
      case 'reset':
        response.destroy();
        return;
      case 'stall':
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"data": [');
        return this.forever();
      case 'hang':
        return this.forever();
      default: {
        const data = this.vectors(input, misbehavior?.kind).map((vector, index) => ({
          object: 'embedding',
          index,
          embedding: body.encoding_format === 'base64' ? base64Of(vector) : [...vector],
        }));
        if (misbehavior?.kind === 'short') data.pop();
        if (misbehavior?.kind === 'shuffled') data.reverse();
        const usage = { prompt_tokens: 0, total_tokens: 0 };
        send(response, 200, JSON.stringify({ object: 'list', model: body.model, data, usage }));
      }
    }
  }

  private vectors(input: readonly string[], kind: string | undefined): Float32Array[] {
    const { dimensions = 64, baseline = 0 } = this.options;
    const vectors = input.map((text) => wordVector(text, dimensions, baseline));
    const last = vectors.at(-1);
    if (kind === 'nan') last?.fill(NaN, 3, 4);
    if (kind === 'zero') last?.fill(0);
    if (kind === 'narrow') vectors[vectors.length - 1] = Float32Array.of(1, 0, 0);
    return vectors;
  }

  private async forever(): Promise<void> {
    await delay(600_000, undefined, { signal: this.closing.signal, ref: false });
  }
}

interface RequestBody {
  readonly model: string;
  readonly input: string | readonly string[];
  readonly dimensions?: number;
  readonly encoding_format?: string;
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function refuse(
  response: ServerResponse,
  { status, retryAfter, message = 'made to fail' }: Extract<Misbehavior, { kind: 'status' }>,
): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', String(retryAfter));
  send(response, status, errorBody(message));
}

function errorBody(message: string): string {
  return JSON.stringify({ error: { message, type: 'test', code: null, param: null } });
}

function base64Of(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64');
}
