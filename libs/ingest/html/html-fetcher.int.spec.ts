import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { SourceDefinition } from '#contracts';
import type { FetchRequest, KnownDocument, SourceSnapshot } from '#ingest';
import { fetcherContract } from '#test/contracts/fetcher.contract';
import { tempDir } from '#test/support/temp-dir';
import { type SitePage, WebSite } from '#test/support/web-site';

import { createHtmlFetcher, type HtmlFetcherOptions } from './html-fetcher.js';

const OPTIONS: HtmlFetcherOptions = {
  concurrency: 4,
  delayMs: 0,
  maxPages: 1_000,
  userAgent: 'Footnote (test)',
};
const docs = (url: string, more: Partial<SourceDefinition> = {}): SourceDefinition => ({
  source_type: 'docs',
  docs_format: 'html',
  url,
  include_patterns: [],
  exclude_patterns: [],
  ...more,
});
const sitemap = (...urls: readonly string[]): string =>
  `<?xml version="1.0"?><urlset>${urls.map((url) => `<url><loc>${url}</loc></url>`).join('')}</urlset>`;
const page = (text: string, ...links: readonly string[]): string =>
  `<h1>${text}</h1>${links.map((link) => `<a href="${link}">x</a>`).join('')}`;

fetcherContract('HTML docs, by a sitemap', async () => {
  const site = await WebSite.start();
  const away = await WebSite.start();
  const names = new Set<string>();
  const list = (): void => {
    const urls = [...names].sort().map((name) => site.url(`/${name}`));
    site.put({ '/sitemap.xml': sitemap(...urls) });
  };
  list();
  return {
    fetcher: createHtmlFetcher(OPTIONS),
    definition: docs(site.url('/'), { use_sitemap: true }),
    missing: docs(away.url('/gone')),
    pathOf: (path) => site.url(`/${path}`),
    async change(documents) {
      for (const [path, text] of Object.entries(documents)) {
        if (text === null) names.delete(path);
        else names.add(path);
        site.put({ [`/${path}`]: text });
      }
      list();
    },
    async dispose() {
      await Promise.all([site.stop(), away.stop()]);
    },
  };
});

describe('HTML docs', () => {
  let site: WebSite;
  let scratch: ReturnType<typeof tempDir>;
  const open: SourceSnapshot[] = [];
  beforeEach(async () => {
    site = await WebSite.start();
    scratch = tempDir('footnote-html-');
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((snapshot) => snapshot.close()));
    await site.stop();
    scratch.remove();
  });

  interface Asked {
    readonly path?: string;
    readonly definition?: Partial<SourceDefinition>;
    readonly options?: Partial<HtmlFetcherOptions>;
    readonly known?: readonly KnownDocument[];
    readonly request?: Partial<FetchRequest>;
  }
  async function list({
    path = '/',
    definition,
    options,
    known = [],
    request,
  }: Asked = {}): Promise<SourceSnapshot> {
    const version = await createHtmlFetcher({ ...OPTIONS, ...options }).resolve({
      tenantId: 't1',
      definition: docs(site.url(path), definition),
      directory: `${scratch.path}/source`,
      recipe: 'r1',
      limits: { maxFileBytes: 100_000, maxSourceBytes: 1_000_000, maxSourceFiles: 100 },
      network: { allowPrivateNetworks: true, fileUrls: { below: [], except: '/nonexistent' } },
      signal: new AbortController().signal,
      timeoutMs: 10_000,
      ...request,
    });
    const snapshot = await version.open(known);
    open.push(snapshot);
    return snapshot;
  }
  const listed = async (asked?: Asked): Promise<string[]> => pathsOf(await list(asked));
  const pathsOf = ({ documents }: SourceSnapshot): string[] =>
    documents.map(({ path }) => path.slice(site.origin.length));
  const failureOf = async (asked?: Asked): Promise<unknown[]> =>
    list(asked).then(
      () => ['no error'],
      (error: Error & { retryable: boolean; details: { url: string; status_code?: number } }) => [
        error.message.replaceAll(site.origin, ''),
        error.retryable,
        error.details.url.replace(site.origin, ''),
        error.details.status_code,
      ],
    );
  const answers =
    (status: number, headers: Readonly<Record<string, string>> = {}, body = ''): SitePage =>
    (_, response) =>
      response.writeHead(status, headers).end(body);

  it('are the pages that links lead to below the folder of the URL, each once', async () => {
    site.put({
      '/guide/': page(
        'Guide',
        'a.html',
        '/guide/a.html#x',
        'a.html?utm_source=y',
        'deep/b.html',
        '/other/',
        'mailto:x@y',
      ),
      '/guide/a.html': page('A', './', 'b.html?print=1', 'gone.zip', 'no.html" rel="nofollow'),
      '/guide/deep/b.html': page('B', '../../guide/c.html', 'https://elsewhere.example/guide/'),
      '/guide/c.html': page('C'),
      '/other/': page('Other'),
    });
    expect(await listed({ path: '/guide/' })).toEqual([
      '/guide/',
      '/guide/a.html',
      '/guide/c.html',
      '/guide/deep/b.html',
    ]);
    expect(site.seen.filter(({ path }) => path.startsWith('/guide/')).length).toBe(4);
    expect(new Set(site.seen.map(({ headers }) => headers['user-agent']))).toEqual(
      new Set(['Footnote (test)']),
    );
  });

  it('are those of doc_urls alone, where there are any', async () => {
    site.put({ '/a': page('A', '/b'), '/b': page('B'), '/c': page('C') });
    const doc_urls = [site.url('/c'), site.url('/a#x')];
    expect(await listed({ definition: { doc_urls, use_sitemap: true } })).toEqual(['/a', '/c']);
  });

  it('are those of the sitemaps that robots.txt names, through indexes and compressed ones, of this site alone', async () => {
    const index = (...urls: readonly string[]): string =>
      `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
        .map((url) => `<sitemap><loc>\n${url} </loc></sitemap>`)
        .join('')}</sitemapindex>`;
    site.put({
      '/robots.txt': `Sitemap: ${site.url('/maps/index.xml')}\nUser-agent: *\nDisallow: /private/`,
      '/maps/index.xml': index(
        site.url('/maps/a.xml.gz'),
        'https://elsewhere.example/x.xml',
        site.url('/maps/index.xml'),
      ),
      '/maps/a.xml.gz': gzipSync(
        sitemap(
          site.url('/docs/a?v=1&amp;w=2'),
          site.url('/private/b'),
          site.url('/blog/c'),
          'https://elsewhere.example/d',
        ),
      ),
      '/docs/a?v=1&w=2': page('A'),
      '/blog/c': page('C'),
      '/private/b': page('B'),
      '/sitemap.xml': sitemap(site.url('/never')),
    });
    expect(await listed({ definition: { use_sitemap: true } })).toEqual([
      '/blog/c',
      '/docs/a?v=1&w=2',
    ]);
    expect(await listed({ path: '/docs/', definition: { use_sitemap: true } })).toEqual([
      '/docs/a?v=1&w=2',
    ]);
    expect(site.seen.map(({ path }) => path)).not.toContain('/private/b');
    site.put({ '/robots.txt': null, '/sitemap.xml': null });
    expect(await failureOf({ definition: { use_sitemap: true } })).toEqual([
      '/ has no sitemap: neither robots.txt names one nor is there a /sitemap.xml',
      false,
      '/',
      undefined,
    ]);
  });

  it('keep to the rules of robots.txt, the delay too', async () => {
    site.put({
      '/robots.txt':
        'User-agent: footnote\nCrawl-delay: 0.2\nDisallow: /b\n\nUser-agent: *\nDisallow: /',
      '/': page('Root', '/a', '/b', '/c'),
      '/a': page('A'),
      '/b': page('B'),
      '/c': page('C'),
    });
    const started = performance.now();
    const { documents, details } = await list();
    expect(documents).toHaveLength(3);
    expect(details).toEqual({ pages_disallowed: 1 });
    expect(performance.now() - started).toBeGreaterThan(380);
    site.put({ '/robots.txt': 'User-agent: *\nDisallow: /' });
    expect(await failureOf()).toEqual([
      'The robots.txt of / does not let it be read',
      false,
      '/',
      undefined,
    ]);
    site.put({ '/robots.txt': answers(503, { 'retry-after': '60' }) });
    expect(await failureOf()).toEqual([
      '/robots.txt answered 503 and asks to come back in 60 s',
      true,
      '/robots.txt',
      503,
    ]);
  });

  it('are asked for so many at once and no faster than that', async () => {
    const links = Array.from({ length: 20 }, (_, at) => `/p${at}`);
    const slow =
      (at: number): SitePage =>
      (_, response) =>
        void setTimeout(
          () => response.writeHead(200, { 'content-type': 'text/html' }).end(page(`P${at}`)),
          20,
        );
    site.put({
      '/': page('Root', ...links),
      ...Object.fromEntries(links.map((path, at) => [path, slow(at)])),
    });
    expect(await listed({ options: { concurrency: 3 } })).toHaveLength(21);
    expect(site.mostAtOnce).toBe(3);
    const started = performance.now();
    await listed({ options: { delayMs: 20 } });
    expect(performance.now() - started).toBeGreaterThan(400);
    const { details } = await list({ options: { maxPages: 5 } });
    expect(details).toEqual({ pages_beyond_limit: 16 });
  });

  it('are selected by their paths, also by patterns that name the site', async () => {
    site.put({
      '/': page('Root', '/guide/a', '/guide/b', '/api/c'),
      '/guide/a': page('A', '/guide/d'),
      '/guide/b': page('B'),
      '/guide/d': page('D'),
      '/api/c': page('C'),
    });
    const definition = { include_patterns: ['guide/**'], exclude_patterns: [site.url('/guide/b')] };
    expect(await listed({ definition })).toEqual(['/guide/a', '/guide/d']);
    expect(site.takeSeen()).not.toContain('/api/c');
  });

  it('are not sent again while they are as they were, here or on another machine', async () => {
    site.put({
      '/': page('Root', '/a', '/b'),
      '/a': page('A', '/c'),
      '/b': page('B'),
      '/c': page('C'),
    });
    const first = await list();
    site.takeSeen();
    const second = await list({ known: first.documents });
    expect([second.ref, second.documents]).toEqual([first.ref, first.documents]);
    expect(second.details).toEqual({ pages_unchanged: 4 });
    expect(site.takeSeen(200)).toEqual([]);
    const kept = join(scratch.path, 'source/pages');
    const links = readdirSync(kept).filter((name) => name.endsWith('.links'));
    expect(links).toHaveLength(4);
    // A power cut leaves the files empty.
    for (const name of links) writeFileSync(join(kept, name), '');
    expect((await list({ known: first.documents })).documents).toEqual(first.documents);
    site.takeSeen();
    site.put({ '/b': page('B, again') });
    const third = await list({ known: first.documents });
    expect(site.takeSeen(200)).toEqual(['/b']);
    expect(third.ref).not.toBe(first.ref);
    scratch.remove();
    expect(pathsOf(await list({ known: third.documents }))).toEqual(['/', '/a', '/b', '/c']);
    site.takeSeen();
    scratch.remove();
    const doc_urls = [site.url('/a')];
    const named = await list({ definition: { doc_urls }, known: third.documents });
    expect(site.takeSeen(200)).toEqual([]);
    for await (const { bytes } of named.read(named.documents))
      expect(Buffer.from(bytes).toString()).toContain('<h1>A');
  });

  it('keep a page that fails for one sync, count it and name it', async () => {
    site.put({ '/': page('Root', '/a', '/b', '/new'), '/a': page('A'), '/b': page('B') });
    const first = await list();
    expect(first.details).toEqual({ pages_failed: 1, [site.url('/new')]: 404 });
    site.put({ '/a': answers(500), '/new': page('New') });
    const second = await list({ known: first.documents });
    expect(pathsOf(second)).toEqual(['/', '/a', '/b', '/new']);
    expect(second.documents.filter(({ missed }) => missed)).toMatchObject([
      { path: site.url('/a'), version: first.documents[1]?.version },
    ]);
    expect(second.details).toMatchObject({ pages_failed: 1, [site.url('/a')]: 500 });
    expect(pathsOf(await list({ known: second.documents }))).toEqual(['/', '/b', '/new']);
    site.put({ '/a': page('A') });
    const healed = await list({ known: second.documents });
    expect(healed.documents.some(({ missed }) => missed)).toBe(false);
  });

  it('are had of the hosts that can be reached, where doc_urls name several', async () => {
    site.put({ '/a': page('A') });
    const nobody = 'http://127.0.0.1:1/b';
    const snapshot = await list({ definition: { doc_urls: [site.url('/a'), nobody] } });
    expect(snapshot.documents.map(({ path }) => path)).toEqual([site.url('/a')]);
    expect(snapshot.details).toMatchObject({ pages_failed: 1, [nobody]: 0 });
  });

  it('fail when the root cannot be had, or nothing can', async () => {
    expect(await failureOf()).toEqual(['/ does not exist', false, '/', 404]);
    site.put({ '/': answers(429, { 'retry-after': '120' }) });
    expect(await failureOf()).toEqual([
      '/ answered 429 and asks to come back in 120 s',
      true,
      '/',
      429,
    ]);
    site.put({ '/': answers(200, { 'content-type': 'application/pdf' }, '%PDF-') });
    expect(await failureOf()).toEqual(['/ is not a page of HTML', false, '/', undefined]);
    const doc_urls = [site.url('/x'), site.url('/y')];
    expect(await failureOf({ definition: { doc_urls } })).toEqual([
      '/x does not exist',
      false,
      '/x',
      404,
    ]);
    const links = Array.from({ length: 30 }, (_, at) => `/p${at}`);
    site.put({
      '/': page('Root', ...links),
      ...Object.fromEntries(links.map((at) => [at, answers(503, { 'retry-after': '40' })])),
    });
    expect(await failureOf()).toMatchObject([
      expect.stringContaining('answered 503'),
      true,
      expect.anything(),
      503,
    ]);
    expect(site.seen.length).toBeLessThan(35);
  });

  it('wait as long as their host asks, and go on', async () => {
    let asked = 0;
    site.put({
      '/': page('Root', '/busy', '/a'),
      '/a': page('A'),
      '/busy': (_, response) => {
        asked += 1;
        if (asked === 1) response.writeHead(429, { 'retry-after': '1' }).end();
        else response.writeHead(200, { 'content-type': 'text/html' }).end(page('Busy'));
      },
    });
    const started = performance.now();
    expect(await listed()).toEqual(['/', '/a', '/busy']);
    expect(performance.now() - started).toBeGreaterThan(950);
  });

  it('leave out what is no page, asks not to be indexed, leads away, is too large or says what another says', async () => {
    site.put({
      '/': page(
        'Root',
        '/pdf',
        '/noindex',
        '/away',
        '/large',
        '/bomb',
        '/twin.html',
        '/twin/',
        '/moved',
        '/image.png',
      ),
      '/pdf': answers(200, { 'content-type': 'application/pdf' }, '%PDF-'),
      '/noindex': `<meta name=robots content="noindex">${page('Hidden', '/behind')}`,
      '/behind': page('Behind'),
      '/away': answers(302, { location: 'http://169.254.169.254/' }),
      '/large': page('x'.repeat(200_000)),
      '/bomb': (_, response) =>
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' })
          .end(gzipSync(Buffer.alloc(20_000_000))),
      '/twin.html': page('Twin'),
      '/twin/': page('Twin'),
      '/moved': answers(301, { location: '/target/index.html' }),
      '/target/index.html': `<link rel=canonical href="/target/">${page('Target')}`,
    });
    const snapshot = await list();
    expect(pathsOf(snapshot)).toEqual(['/', '/behind', '/target/', '/twin/']);
    expect(snapshot.skipped).toEqual({ files_skipped: 2, files_skipped_too_large: 2 });
    expect(snapshot.details).toEqual({
      pages_failed: 1,
      pages_duplicate: 1,
      pages_noindex: 1,
      pages_not_html: 1,
      [site.url('/away')]: 0,
    });
  });

  it('refuse private addresses where the operator does', async () => {
    site.put({ '/': page('Root') });
    const network = { allowPrivateNetworks: false, fileUrls: { below: [], except: '/' } };
    const [message, retryable] = await failureOf({ request: { network } });
    expect([message, retryable]).toEqual([
      expect.stringMatching(/private or reserved|is not fetched from/),
      false,
    ]);
  });
});
