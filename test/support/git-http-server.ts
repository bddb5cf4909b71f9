import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers a request itself and returns true, or leaves it to git. */
export type Route = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

/**
 * A smart HTTP git server on loopback: `git http-backend` behind node:http, with routes that
 * misbehave on purpose.
 */
export class GitHttpServer {
  readonly requests: string[] = [];
  private readonly server: Server;

  constructor(
    private readonly root: string,
    private readonly route: Route = () => false,
  ) {
    this.server = createServer((request, response) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      this.requests.push(`${request.method ?? ''} ${url.pathname}`);
      if (!this.route(request, response, url.pathname)) this.serve(request, response, url);
    });
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  /** Serves a request as if it had asked for another path. */
  pass(request: IncomingMessage, response: ServerResponse, path: string): void {
    const url = new URL(request.url ?? '/', 'http://localhost');
    url.pathname = path;
    this.serve(request, response, url);
  }

  private serve(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
        GIT_PROJECT_ROOT: this.root,
        GIT_HTTP_EXPORT_ALL: '1',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        REQUEST_METHOD: request.method ?? 'GET',
        PATH_INFO: decodeURIComponent(url.pathname),
        QUERY_STRING: url.search.slice(1),
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_ADDR: '127.0.0.1',
      },
    });
    request.pipe(backend.stdin).on('error', () => undefined);
    let head = Buffer.alloc(0);
    let began = false;
    backend.stdout.on('data', (data: Buffer) => {
      if (began) return void response.write(data);
      head = Buffer.concat([head, data]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1) return;
      began = true;
      writeHead(response, head.toString('latin1', 0, end));
      response.write(head.subarray(end + 4));
    });
    backend.once('close', () => response.end());
  }
}

function writeHead(response: ServerResponse, head: string): void {
  let status = 200;
  for (const line of head.split('\r\n')) {
    const [name = '', value = ''] = line.split(/: ?(.*)/);
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}
