import { fastifyCookie } from '@fastify/cookie';
import { afterEach, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';

import type { Config } from '#platform';

import { SessionCookies } from './session-cookies.js';

describe('the cookies of a session', () => {
  let server: FastifyInstance;
  afterEach(() => server.close());

  const served = async (publicUrl: string | undefined) => {
    const cookies = new SessionCookies({ http: { publicUrl } as Config['http'] });
    server = fastify();
    await server.register(fastifyCookie, { hook: false });
    server.get('/give', async (_, reply) => cookies.set(reply, 'token', 'csrf', 60_500));
    server.get('/clear', async (_, reply) => cookies.clear(reply));
    server.get('/read', async (request) => ({ token: cookies.tokenOf(request) }));
    return async (url: string, cookie?: string) =>
      server.inject({ url, headers: cookie === undefined ? {} : { cookie } });
  };

  it('are of this very host alone where the service is reached over https', async () => {
    const call = await served('https://footnote.example');
    expect((await call('/give')).headers['set-cookie']).toEqual([
      '__Host-footnote_session=token; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Host-footnote_csrf=csrf; Max-Age=60; Path=/; Secure; SameSite=Lax',
    ]);
    expect((await call('/clear')).headers['set-cookie']).toEqual([
      '__Host-footnote_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
      '__Host-footnote_csrf=; Max-Age=0; Path=/; Secure; SameSite=Lax',
    ]);
    expect((await call('/read', 'a=b; __Host-footnote_session=x.y.z')).json()).toEqual({
      token: 'x.y.z',
    });
    expect((await call('/read', 'footnote_session=x.y.z')).json()).toEqual({ token: null });
  });

  it.each([
    ['footnote_session=x', 'x'],
    ['footnote_session=', null],
    ['footnote_sessions=x', null],
    ['a=footnote_session', null],
    [`footnote_session=x; pad=${'p'.repeat(9_000)}`, null],
  ])('are read where they are: %s', async (cookie, token) => {
    const call = await served(undefined);
    expect((await call('/read', cookie)).json()).toEqual({ token });
  });
});
