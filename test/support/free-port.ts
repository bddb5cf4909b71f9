import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Returns a port of the loopback that nobody listens on at the moment. It is not one that the
 * system gives to outgoing connections. A client that repeats its attempts at such a port while its
 * server is down ends up connected to itself.
 * @param count how many ports in a row are free, of which this is the first
 */
export async function freePort(count = 1): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const first = 20_000 + count * randomInt(Math.floor(10_000 / count));
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return first;
  }
  throw new Error('There is no free port');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, 'listening');
  server.listen(port, '127.0.0.1');
  try {
    await listening;
  } catch {
    return false;
  }
  const closed = once(server, 'close');
  server.close();
  await closed;
  return true;
}
