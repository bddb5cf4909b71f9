import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * `pass` forwards; `blackhole` keeps every connection and forwards nothing; `refuse` resets them
 * and every new one.
 */
export type ProxyMode = 'pass' | 'blackhole' | 'refuse';

/**
 * A port on the loopback in front of an engine, whose network can be broken while connections are
 * open.
 */
export class TcpProxy {
  private mode: ProxyMode = 'pass';
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly target: { readonly host: string; readonly port: number },
  ) {
    server.on('connection', (socket) => this.accept(socket));
  }

  static async open(target: { readonly host: string; readonly port: number }): Promise<TcpProxy> {
    const server = createServer({ pauseOnConnect: true });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, target);
  }

  /** The same URL, which must name its port, through the proxy. */
  static async before(url: string): Promise<{ readonly proxy: TcpProxy; readonly url: string }> {
    const through = new URL(url);
    const proxy = await TcpProxy.open({ host: through.hostname, port: Number(through.port) });
    through.hostname = '127.0.0.1';
    through.port = String(proxy.port);
    return { proxy, url: through.href };
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Holds from now on for open connections too. What a black hole swallowed stays lost. */
  set(mode: ProxyMode): void {
    this.mode = mode;
    if (mode === 'refuse') for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async close(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  private accept(client: Socket): void {
    if (this.mode === 'refuse') {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(this.target);
    this.pipe(client, upstream);
    this.pipe(upstream, client);
  }

  private pipe(from: Socket, to: Socket): void {
    this.sockets.add(from);
    from.on('data', (bytes) => {
      if (this.mode === 'pass' && !to.destroyed) to.write(bytes);
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      this.sockets.delete(from);
      if (this.mode !== 'blackhole') to.destroy();
    });
    from.resume();
  }
}
