import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { RerankSettings } from '#platform';

/** An entry of an answer before it has the names of its format. */
export interface RerankEntry {
  readonly index: unknown;
  readonly score: unknown;
}

/** The answer to one request in place of the right one. */
export type RerankFault =
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'redirect'; readonly to: string }
  /** No answer at all; no JSON; JSON of another form; a connection that breaks; no end. */
  | { readonly kind: 'hang' | 'garbage' | 'other' | 'reset' | 'endless' }
  /** Other entries than the right ones. */
  | {
      readonly kind: 'entries';
      readonly of: (entries: readonly RerankEntry[]) => readonly RerankEntry[];
    };

export interface RerankRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly query: string;
  readonly texts: readonly string[];
  readonly authorization: string | undefined;
}

/** A stand-in for a rerank endpoint on 127.0.0.1, in one of the formats. */
export class RerankEndpoint {
  readonly requests: RerankRequest[] = [];
  /** Taken by the next requests, one each. */
  readonly next: RerankFault[] = [];
  /** Taken by every request after `next` is used up, while it is set. */
  always: RerankFault | undefined;
  /** Relevance of a text. Default: the number of times that it has the word `relevant`. */
  relevance: (text: string) => number = (text) => text.split('relevant').length - 1;
  private readonly hanging = new Set<ServerResponse>();

  private constructor(
    private readonly server: Server,
    private readonly format: RerankSettings['format'],
  ) {}

  static async start(format: RerankSettings['format'] = 'cohere'): Promise<RerankEndpoint> {
    const server = createServer();
    const endpoint = new RerankEndpoint(server, format);
    server.on('request', (request, response) => {
      endpoint.answer(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
  }

  /** Requests that wait for an answer which never comes. */
  get waiting(): number {
    return this.hanging.size;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.url !== '/v1/rerank') {
      response.writeHead(404).end('{}');
      return;
    }
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as RerankRequest['body'];
    const texts = body[this.format === 'tei' ? 'texts' : 'documents'] as readonly string[];
    const { authorization } = request.headers;
    this.requests.push({ body, query: body['query'] as string, texts, authorization });
    this.send(response, texts, this.next.shift() ?? this.always);
  }

  private send(
    response: ServerResponse,
    texts: readonly string[],
    fault: RerankFault | undefined,
  ): void {
    const json = (value: unknown) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    switch (fault?.kind) {
      case 'status':
        response.writeHead(fault.status).end(JSON.stringify({ message: texts.join(' ') }));
        return;
      case 'redirect':
        response.writeHead(307, { location: fault.to }).end();
        return;
      case 'hang':
        this.hanging.add(response);
        response.once('close', () => this.hanging.delete(response));
        return;
      case 'garbage':
        response.writeHead(200).end('{"results": [');
        return;
      case 'other':
        return json({ answer: 'no scores' });
      case 'reset':
        response.destroy();
        return;
      case 'endless':
        return endless(response);
      default: {
        const entries = texts
          .map((text, index) => ({ index, score: this.relevance(text) }))
          .sort((a, b) => b.score - a.score);
        return json(this.written(fault ? fault.of(entries) : entries));
      }
    }
  }

  private written(entries: readonly RerankEntry[]): unknown {
    if (this.format === 'tei') return entries;
    return {
      id: 'answer-1',
      results: entries.map(({ index, score }) => ({ index, relevance_score: score })),
    };
  }
}

function endless(response: ServerResponse): void {
  response.writeHead(200);
  const spaces = ' '.repeat(65_536);
  const more = () => {
    if (response.destroyed) return;
    if (response.write(spaces)) setImmediate(more);
    else response.once('drain', more);
  };
  more();
}
