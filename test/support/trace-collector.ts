import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 50;
const WAIT_MS = 30_000;

/** A span as a collector receives it. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status?: { readonly code?: number; readonly message?: string };
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface SentSpan extends Omit<CollectedSpan, 'attributes'> {
  readonly attributes?: readonly { readonly key: string; readonly value: object }[];
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

/** A collector of OpenTelemetry on loopback, which keeps what it receives. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** All bodies as they came. */
  text = '';
  /** Headers of the last request. */
  headers: IncomingMessage['headers'] = {};
  private readonly server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      this.take(request, Buffer.concat(parts).toString());
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });

  static async start(): Promise<TraceCollector> {
    const collector = new TraceCollector();
    collector.server.listen(0, '127.0.0.1');
    await once(collector.server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Resolves with the spans once one fits. @throws Error if none does within 30 s. */
  async until(fits: (span: CollectedSpan) => boolean): Promise<readonly CollectedSpan[]> {
    const deadline = Date.now() + WAIT_MS;
    while (!this.spans.some(fits)) {
      if (Date.now() > deadline)
        throw new Error(`No such span among ${this.spans.map(({ name }) => name).join(', ')}`);
      await delay(POLL_MS);
    }
    return this.spans;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private take(request: IncomingMessage, body: string): void {
    if (request.url !== '/v1/traces') return;
    this.headers = request.headers;
    this.text += body;
    const { resourceSpans } = JSON.parse(body) as Sent;
    for (const { scopeSpans } of resourceSpans)
      for (const { spans } of scopeSpans) this.spans.push(...spans.map(collected));
  }
}

function collected({ attributes = [], ...span }: SentSpan): CollectedSpan {
  const entries = attributes.map(({ key, value }) => [key, Object.values(value)[0]] as const);
  return { ...span, attributes: Object.fromEntries(entries) };
}
