import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { AddressGuard } from './address-guard.js';
import { BodyTooLargeError, GuardedHttp, type GuardedHttpOptions } from './guarded-http.js';

let server: Server;
let port: number;
const seen: { readonly path: string; readonly headers: IncomingHttpHeaders }[] = [];
const clients: GuardedHttp[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    seen.push({ path: url.pathname, headers: request.headers });
    const to = url.searchParams.get('to');
    if (url.pathname === '/redirect') response.writeHead(302, { location: to ?? '' }).end();
    else if (url.pathname === '/loop') response.writeHead(301, { location: '/loop' }).end();
    else if (url.pathname === '/never') return;
    else response.writeHead(200, { 'x-two': ['a', 'b'] }).end('x'.repeat(1_000));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  server.closeAllConnections();
  server.close();
});

function client(options: Partial<GuardedHttpOptions> = {}): GuardedHttp {
  const made = new GuardedHttp({
    guard: new AddressGuard({ allowPrivateNetworks: true, resolve: async () => ['127.0.0.1'] }),
    ports: 'any',
    ...options,
  });
  clients.push(made);
  return made;
}

const closed = () =>
  new AddressGuard({ allowPrivateNetworks: false, resolve: async () => ['127.0.0.1'] });

describe('the guarded client', () => {
  it('connects to the checked address, under the requested name', async () => {
    const answer = await client().request(`http://somewhere.example:${port}/a`);
    expect(answer).toMatchObject({
      url: `http://somewhere.example:${port}/a`,
      status: 200,
      headers: { 'x-two': 'a, b' },
    });
    expect(answer.body).toHaveLength(1_000);
    expect(seen.at(-1)?.headers.host).toBe(`somewhere.example:${port}`);
  });

  it.each(['localhost', '127.0.0.1', '[::ffff:127.0.0.1]', 'somewhere.example', '0x7f.1'])(
    'does not reach %s',
    async (host) => {
      const before = seen.length;
      await expect(client({ guard: closed() }).request(`http://${host}:${port}/`)).rejects.toThrow(
        'private or reserved',
      );
      expect(seen).toHaveLength(before);
    },
  );

  it('checks each redirect like the first address', async () => {
    const guard = new AddressGuard({
      allowPrivateNetworks: true,
      resolve: async (host) => (host === 'first.example' ? ['127.0.0.1'] : ['169.254.169.254']),
    });
    const to = encodeURIComponent(`http://second.example:${port}/a`);
    await expect(
      client({ guard }).request(`http://first.example:${port}/redirect?to=${to}`),
    ).rejects.toThrow('second.example');
    await expect(
      client().request(`http://a.example:${port}/redirect?to=file:///etc/passwd`),
    ).rejects.toThrow('http and https');
    await expect(
      client().request(`http://a.example:${port}/redirect?to=http://u:p@b.example`),
    ).rejects.toThrow('credentials');
  });

  it('follows five redirects, and no loop', async () => {
    const answer = await client().request(`http://a.example:${port}/redirect?to=/end`);
    expect(answer.url).toBe(`http://a.example:${port}/end`);
    await expect(client().request(`http://a.example:${port}/loop`)).rejects.toThrow(
      'Too many redirects',
    );
  });

  it('keeps secrets from other origins', async () => {
    const secrets = { Authorization: 'Bearer x', Cookie: 'a=b', 'X-Plain': 'c' };
    await client().request(`http://a.example:${port}/redirect?to=/same`, { headers: secrets });
    expect(seen.at(-1)?.headers).toMatchObject({ authorization: 'Bearer x', cookie: 'a=b' });
    const to = encodeURIComponent(`http://b.example:${port}/other`);
    await client().request(`http://a.example:${port}/redirect?to=${to}`, { headers: secrets });
    expect(seen.at(-1)).toMatchObject({ path: '/other', headers: { 'x-plain': 'c' } });
    expect(seen.at(-1)?.headers).not.toHaveProperty('authorization');
    expect(seen.at(-1)?.headers).not.toHaveProperty('cookie');
  });

  it('sends a body only to its own target', async () => {
    const answer = await client().request(`http://a.example:${port}/redirect?to=/end`, {
      method: 'POST',
      body: 'x',
    });
    expect(answer.status).toBe(302);
  });

  it.each([
    ['ftp://a.example/', 'http and https'],
    ['http://user:secret@a.example/', 'credentials'],
    ['not a url', 'usable URL'],
    [`http://a.example/${'a'.repeat(2_048)}`, 'usable URL'],
  ])('rejects %s', async (url, part) => {
    await expect(client().request(url)).rejects.toThrow(part);
  });

  it('accepts only the configured ports', async () => {
    await expect(client({ ports: [] }).request(`http://a.example:${port}/`)).rejects.toThrow(
      `Port ${port}`,
    );
    expect((await client({ ports: [port] }).request(`http://a.example:${port}/`)).status).toBe(200);
  });

  it('trusts the origins that the operator configured, and only those', async () => {
    const trusted = client({
      guard: closed(),
      ports: [],
      trustedOrigins: [`http://127.0.0.1:${port}`],
    });
    expect((await trusted.request(`http://127.0.0.1:${port}/a`)).status).toBe(200);
    await expect(trusted.request(`http://localhost:${port}/a`)).rejects.toThrow();
    await expect(trusted.request('http://127.0.0.1/a')).rejects.toThrow('private or reserved');
  });

  it('stops at the limits of bytes and time, and when aborted', async () => {
    const url = `http://a.example:${port}`;
    await expect(client().request(`${url}/a`, { maxBytes: 999 })).rejects.toThrow(
      BodyTooLargeError,
    );
    expect((await client().request(`${url}/a`, { maxBytes: 0 })).body).toHaveLength(0);
    await expect(client().request(`${url}/never`, { timeoutMs: 200 })).rejects.toThrow(/timeout/);
    const stop = AbortSignal.abort(new Error('cancelled'));
    await expect(client().request(`${url}/a`, { signal: stop })).rejects.toThrow('cancelled');
  });
});
