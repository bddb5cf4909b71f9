import { mkdirSync, writeFileSync } from 'node:fs';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fastify from 'fastify';

import { silentLogger } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { tempDir } from '#test/support/temp-dir';

import { serveWebUi } from './serve-web-ui.js';

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

describe('the page for people', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    const environment = { PUBLIC_URL: 'https://team.example.com/tools' };
    api = await ApiHarness.start({ environment });
  });
  afterAll(() => api.stop());

  it('is where browsers at the root go, below the path of PUBLIC_URL', async () => {
    const browser = await api.call('GET', '/', undefined, { key: null, headers: BROWSER });
    expect([browser.status, browser.headers['location']]).toEqual([303, '/tools/ui/']);
    const other = await api.call('GET', '/', undefined, { key: null });
    expect([other.status, other.body['service']]).toEqual([200, 'footnote']);
  });

  it('has a policy that refuses every trusted type', async () => {
    const { headers } = await api.call('GET', '/ui/', undefined, { key: null });
    expect(headers['content-security-policy']).toMatch(/script-src 'self';.*trusted-types 'none'$/);
    const { headers: others } = await api.call('GET', '/uid', undefined, { key: null });
    expect(others['cache-control']).toBe('no-store');
  });

  it('reads the ways to sign in without credentials', async () => {
    const { status, body } = await api.call('GET', '/auth/methods', undefined, { key: null });
    expect([status, body]).toEqual([200, { password: true, registration: true, provider: false }]);
  });
});

describe('a service with WEB_UI=false', () => {
  it('has no page, sends no browser there, and keeps the page of the API', async () => {
    const api = await ApiHarness.start({ environment: { WEB_UI: 'false' } });
    try {
      const root = await api.call('GET', '/', undefined, { key: null, headers: BROWSER });
      const page = await api.call('GET', '/ui/', undefined, { key: null });
      expect([root.status, page.status]).toEqual([200, 404]);
      const docs = await api.call('GET', '/docs', undefined, { key: null, headers: BROWSER });
      expect([docs.status, docs.headers['content-type']]).toEqual([
        200,
        'text/html; charset=utf-8',
      ]);
    } finally {
      await api.stop();
    }
  });
});

describe('the files of the page', () => {
  it('are immutable and compressed; the page itself is validated', async () => {
    const folder = tempDir();
    mkdirSync(`${folder.path}/assets`);
    writeFileSync(`${folder.path}/index.html`, '<!doctype html>');
    writeFileSync(`${folder.path}/assets/a-1.js`, 'plain');
    writeFileSync(`${folder.path}/assets/a-1.js.br`, 'packed');
    const server = fastify();
    serveWebUi(server, { folder: folder.path, publicUrl: undefined, logger: silentLogger });
    try {
      const asset = await server.inject({
        url: '/ui/assets/a-1.js',
        headers: { 'accept-encoding': 'br' },
      });
      expect([asset.payload, asset.headers['content-encoding']]).toEqual(['packed', 'br']);
      expect(asset.headers['cache-control']).toMatch(/immutable/);
      const page = await server.inject({ url: '/ui/' });
      expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-cache']);
      const again = await server.inject({
        url: '/ui/',
        headers: { 'if-none-match': String(page.headers['etag']) },
      });
      expect(again.statusCode).toBe(304);
      const outside = await server.inject({ url: '/ui/assets/..%2findex.html' });
      expect(outside.statusCode).not.toBe(200);
    } finally {
      await server.close();
      folder.remove();
    }
  });

  it('answers 404 with the reason while the page is not built', async () => {
    const server = fastify();
    serveWebUi(server, { folder: '/nowhere', publicUrl: undefined, logger: silentLogger });
    const { body } = await server.inject({ url: '/ui/' });
    expect(body).toMatch(/npm run build/);
    await server.close();
  });
});
