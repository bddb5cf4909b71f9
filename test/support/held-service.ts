import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const SOURCE = {
  id: '019bc0de-5c1e-7d52-9f0a-3a8f6f0f9a11',
  name: 'Shop',
  url: 'https://x.io/a/b',
};

/**
 * A stand-in for the service that never answers code searches, and whose jobs never end: it shows
 * what a client leaves behind.
 */
export class HeldService {
  /** Requests as `METHOD path`. */
  readonly requests: string[] = [];
  /** Requests whose connection the client closed before the answer. */
  readonly abandoned: string[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      const named = `${request.method} ${new URL(request.url ?? '', 'http://x').pathname}`;
      this.requests.push(named);
      response.once('close', () => {
        if (!response.writableFinished) this.abandoned.push(named);
      });
      const body = answerTo(named);
      if (body === undefined) return;
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
  }

  static async start(): Promise<HeldService> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new HeldService(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Returns the body of an answer; undefined for a request that is held. */
function answerTo(request: string): object | undefined {
  if (request === 'POST /search/code') return undefined;
  if (request === 'GET /sources') return { sources: [SOURCE], total: 1 };
  if (request.endsWith('/sync')) return { job_id: 'job-1', source_id: SOURCE.id, message: '' };
  const isEnded = request.endsWith('/cancel') || request.startsWith('DELETE ');
  const status = isEnded ? 'cancelled' : 'running';
  return {
    id: 'job-1',
    status,
    progress_percent: 10,
    progress_message: '',
    completed_at: null,
    steps: [],
  };
}
