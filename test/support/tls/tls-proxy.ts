import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

export interface TlsProxyOptions {
  /** Files in PEM form. */
  readonly certFile: string;
  readonly keyFile: string;
  /**
   * Asks for this user by HTTP's Basic scheme, as a server with its own users does. Default: asks
   * for none.
   */
  readonly login?: { readonly user: string; readonly password: string };
}

/** HTTPS on the loopback in front of an engine that speaks HTTP. */
export class TlsProxy {
  /** Requests that were let through. */
  passed = 0;

  private constructor(
    private readonly server: Server,
    private readonly target: URL,
    private readonly wanted: string | null,
  ) {
    server.on('request', (from: IncomingMessage, to: ServerResponse) => this.serve(from, to));
  }

  static async before(
    url: string,
    { certFile, keyFile, login }: TlsProxyOptions,
  ): Promise<TlsProxy> {
    const server = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const wanted =
      login && `Basic ${Buffer.from(`${login.user}:${login.password}`).toString('base64')}`;
    return new TlsProxy(server, new URL(url), wanted ?? null);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }

  private serve(from: IncomingMessage, to: ServerResponse): void {
    if (this.wanted !== null && from.headers.authorization !== this.wanted) {
      to.writeHead(401, {
        'www-authenticate': 'Basic realm="test"',
        'content-type': 'text/plain',
      }).end('Unauthorized');
      return;
    }
    this.passed += 1;
    const { hostname, port } = this.target;
    // Headers as they came, the name of this host included: S3 signs it.
    const forward = request({
      hostname,
      port,
      method: from.method,
      path: from.url,
      headers: from.headers,
    });
    forward.on('response', (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    forward.on('error', () => to.destroy());
    from.pipe(forward);
  }
}
