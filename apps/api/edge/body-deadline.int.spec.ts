import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';

import multipart from '@fastify/multipart';
import { afterEach, describe, expect, it } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';

import { useBodyDeadlines } from './body-deadline.js';

describe('a body that does not arrive', () => {
  let server: FastifyInstance;
  afterEach(() => server.close());

  /**
   * Returns the bytes that a client receives if it sends a head and half a body, until the
   * connection ends or the time is up.
   */
  async function seen(head: string, waitMs: number): Promise<string> {
    server = fastify();
    useBodyDeadlines(server, 200);
    await server.register(multipart);
    server.post('/sources', async () => 'taken');
    server.post(
      '/rejected',
      { onRequest: (_, reply) => void reply.status(401).send('no') },
      async () => 'taken',
    );
    server.post('/sources/upload', async (request) => (await request.file())?.filename);
    await server.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    let answer = '';
    socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
    socket.write(`POST ${head}\r\nhost: x\r\ncontent-length: 1000\r\n\r\n{"name":`);
    const closed = once(socket, 'close').then(() => 'closed');
    const waited = new Promise<string>((resolve) => setTimeout(() => resolve('open'), waitMs));
    const end = await Promise.race([closed, waited]);
    socket.destroy();
    return `${end}: ${answer}`;
  }

  it('is answered when its time is up, and the connection ended', async () => {
    const answer = await seen('/sources HTTP/1.1\r\ncontent-type: application/json', 5_000);
    expect(answer).toMatch(/^closed: HTTP\/1.1 408 /);
    expect(answer).toContain('"code":"request_timeout"');
  });

  it('ends the connection also where the request was answered before its body', async () => {
    const answer = await seen('/rejected HTTP/1.1\r\ncontent-type: application/json', 5_000);
    expect(answer).toMatch(/^closed: HTTP\/1.1 401 /);
  });

  it('has longer where it is a file', async () => {
    const answer = await seen(
      '/sources/upload HTTP/1.1\r\ncontent-type: multipart/form-data; boundary=x',
      600,
    );
    expect(answer).toBe('open: ');
  });
});
