import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const DRIP_MS = 1_000;

/**
 * A server of git addresses that answers by bytes a second, never, or with a broken line: `/slow`,
 * `/silent`, `/broken`.
 */
export class HostileServer {
  private readonly drips = new Set<NodeJS.Timeout>();

  private constructor(
    private readonly server: Server,
    readonly url: string,
  ) {}

  static async listen(): Promise<HostileServer> {
    const server = createServer((request, response) => {
      const path = request.url ?? '';
      if (path.startsWith('/silent')) return;
      response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
      response.write('001e# service=git-upload-pack\n');
      if (path.startsWith('/broken')) {
        request.socket.destroy();
        return;
      }
      const drip = setInterval(() => response.write('0'), DRIP_MS);
      hostile.drips.add(drip);
      response.once('close', () => {
        clearInterval(drip);
        hostile.drips.delete(drip);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const hostile = new HostileServer(
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    );
    return hostile;
  }

  async close(): Promise<void> {
    for (const drip of this.drips) clearInterval(drip);
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
