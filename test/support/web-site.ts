import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page by its text, or what answers for it. */
export type SitePage =
  string | Uint8Array | ((request: IncomingMessage, response: ServerResponse) => void);

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
}

/**
 * A web site on loopback. Pages that are text have an ETag and answer 304 to a client that has it.
 */
export class WebSite {
  /** By path and query. */
  readonly pages = new Map<string, SitePage>();
  /** Answered requests, in order. */
  readonly seen: SeenRequest[] = [];
  /** Most requests that were open at once. */
  mostAtOnce = 0;
  private open = 0;

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(pages: Readonly<Record<string, SitePage>> = {}): Promise<WebSite> {
    const server = createServer((request, response) => site.answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const site = new WebSite(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    site.put(pages);
    return site;
  }

  /** Null removes a page. */
  put(pages: Readonly<Record<string, SitePage | null>>): void {
    for (const [path, page] of Object.entries(pages)) {
      if (page === null) this.pages.delete(path);
      else this.pages.set(path, page);
    }
  }

  url(path: string): string {
    return `${this.origin}${path}`;
  }

  /** Returns the paths of requests with the given status, in order, and clears the list. */
  takeSeen(status?: number): string[] {
    const paths = this.seen.filter((request) => status === undefined || request.status === status);
    this.seen.length = 0;
    return paths.map(({ path }) => path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
  }

  private answer(request: IncomingMessage, response: ServerResponse): void {
    this.open += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.open);
    const path = request.url ?? '/';
    response.on('close', () => (this.open -= 1));
    response.on('finish', () =>
      this.seen.push({ path, headers: request.headers, status: response.statusCode }),
    );
    const page = this.pages.get(path);
    if (page === undefined)
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Not here</h1>');
    else if (typeof page === 'function') page(request, response);
    else this.send(path, page, request, response);
  }

  private send(
    path: string,
    page: string | Uint8Array,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const etag = `"${createHash('sha256').update(page).digest('hex').slice(0, 16)}"`;
    const type = TYPES[/\.(\w+)(?:\?|$)/.exec(path)?.[1] ?? ''] ?? 'text/html; charset=utf-8';
    if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { etag, 'content-type': type }).end(page);
  }
}

const TYPES: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  xml: 'application/xml',
  gz: 'application/gzip',
  json: 'application/json',
  pdf: 'application/pdf',
};
