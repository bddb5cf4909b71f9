import type { ServerResponse } from 'node:http';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import type { SourceDefinition } from '#contracts';
import { createLogger } from '#platform';
import { PipelineHarness } from '#test/support/pipeline-harness';
import { WebSite } from '#test/support/web-site';

const SECRET = 'q7Zr2Kp9xV4mT8wB1zR6nJ3s';
const SIGNED = `X-Amz-Signature=${SECRET}`;
const TENANT = '01890000-0000-7000-8000-0000000000a1';

/** Secrets in addresses that a source leads to. */
describe('pipeline: a secret in an address', () => {
  let harness: PipelineHarness;
  let site: WebSite;
  let lines: string[];
  beforeEach(async () => {
    harness = await PipelineHarness.open();
    lines = [];
    const logger = createLogger('trace', { write: (line) => void lines.push(line) });
    await harness.start({ logger, environment: { CRAWL_DELAY_MS: '0' } });
    site = await WebSite.start();
  });
  afterEach(async () => {
    await harness.close();
    await site.stop();
  });

  const redirect = (path: string) => (_: unknown, response: ServerResponse) =>
    void response.writeHead(302, { location: path }).end();
  const failing = (_: unknown, response: ServerResponse) => void response.writeHead(403).end();
  const page = (text: string) =>
    `<html><head><title>Guide</title></head><body><main><h1>Guide</h1>${text}</main></body></html>`;

  /** Syncs a source, and returns everything that its job wrote. */
  async function synced(path: string, definition: Partial<SourceDefinition>) {
    const sourceId = await harness.registerSource(TENANT, site.url(path), {
      branch: undefined,
      ...definition,
    });
    const jobId = await harness.requestSync(TENANT, sourceId);
    const job = await harness.ended(jobId);
    const events: string[] = [];
    for await (const { data } of harness.store.read(`job-${jobId}`))
      events.push(JSON.stringify(data));
    const chunks =
      job.status === 'completed' ? await harness.index.chunksOf(job.published.manifest) : [];
    return { job, written: [...events, JSON.stringify(chunks)].join('\n') };
  }

  const HTML = { source_type: 'docs', docs_format: 'html' } as const;

  it('that a redirect leads to is in no error, progress, path or log line', async () => {
    for (const definition of [
      { ...HTML },
      { source_type: 'docs', docs_format: 'openapi' },
      { source_type: 'pdf' },
    ]) {
      site.put({ '/a': redirect(`/b?${SIGNED}`), [`/b?${SIGNED}`]: failing });
      const { job, written } = await synced('/a', definition as Partial<SourceDefinition>);
      expect(job.status).toBe('failed');
      expect(written).not.toContain(SECRET);
    }
    expect(lines.join('')).not.toContain(SECRET);
  });

  it('that a page answers from is not its path', async () => {
    site.put({
      '/a': redirect(`/b?${SIGNED}`),
      [`/b?${SIGNED}`]: page('<p>Widgets are parts of a machine.</p>'),
    });
    const { job, written } = await synced('/a', { ...HTML, doc_urls: [site.url('/a')] });
    expect(job.status).toBe('completed');
    expect(written).toContain(site.url('/a'));
    expect(written).not.toContain(SECRET);
  });

  it('that a sitemap lists is left out and counted', async () => {
    const urls = [site.url('/a'), `${site.url('/b')}?${SIGNED}`].map(
      (url) => `<url><loc>${url}</loc></url>`,
    );
    site.put({
      '/sitemap.xml': `<urlset>${urls.join('')}</urlset>`,
      '/a': page('<p>Widgets.</p>'),
    });
    site.put({ [`/b?${SIGNED}`]: page('<p>Gadgets.</p>') });
    const { job, written } = await synced('/', { ...HTML, use_sitemap: true });
    expect(job.status).toBe('completed');
    expect(written).toContain('"pages_secret":1');
    expect(written).not.toContain(SECRET);
    expect(site.seen.map(({ path }) => path)).not.toContain(`/b?${SIGNED}`);
  });

  it('that a source of an older log has is in none of the events of its jobs', async () => {
    site.put({ [`/a?token=${SECRET}`]: failing, [`/p?token=${SECRET}`]: page('<p>Widgets.</p>') });
    const failed = await synced(`/a?token=${SECRET}`, {
      source_type: 'docs',
      docs_format: 'openapi',
    });
    expect(failed.job).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('token=redacted'),
    });
    const pdf = await synced(`/a?token=${SECRET}`, { source_type: 'pdf' });
    const pages = await synced('/', {
      ...HTML,
      doc_urls: [site.url(`/p?token=${SECRET}`), site.url(`/a?token=${SECRET}`)],
    });
    for (const { written } of [failed, pdf, pages])
      expect(written.split('\n').filter((line) => line.includes(SECRET))).toEqual([]);
    expect(lines.join('')).not.toContain(SECRET);
  });
});
