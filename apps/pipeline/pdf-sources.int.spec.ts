import { createHash } from 'node:crypto';

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

import type { SourceDefinition } from '#contracts';
import type { CompletedJob } from '#domain';
import { linesAt, writePdf } from '#test/support/pdf/pdf-writer';
import { PipelineHarness } from '#test/support/pipeline-harness';
import { type SitePage, WebSite } from '#test/support/web-site';

import { ThreadPool } from './thread-pool/thread-pool.js';

const TENANT = '018f0000-0000-7000-8000-00000000000a';
const OTHER = '018f0000-0000-7000-8000-00000000000b';
const NOTHING_NEW = { files_processed: 0, chunks_created: 0, chunks_updated: 0, chunks_deleted: 0 };
const LATER = Date.now() + 48 * 3_600_000;

const guide = (words: string) =>
  writePdf([
    [
      { text: 'Keeping marmosets', x: 72, y: 120, size: 24 },
      ...linesAt(72, 160, ['They live in the canopy and', 'feed on gum.']),
    ],
    linesAt(72, 160, [`They ${words}.`]),
  ]);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

describe('pipeline: PDFs', () => {
  let harness: PipelineHarness;
  let site: WebSite;
  beforeEach(async () => {
    harness = await PipelineHarness.open();
    site = await WebSite.start();
  });
  afterEach(async () => {
    await harness.close();
    await site.stop();
  });
  const start = (environment = {}, now?: () => Date) =>
    harness.start({
      environment: { ALLOW_PRIVATE_NETWORKS: 'true', ...environment },
      ...(now && { now }),
    });

  async function completed(source: string, tenant = TENANT): Promise<CompletedJob> {
    const job = await harness.sync(tenant, source);
    if (job.status !== 'completed') throw new Error(`the job ended ${JSON.stringify(job)}`);
    return job;
  }
  async function upload(bytes: Buffer, tenant = TENANT, file_name = 'guide.pdf'): Promise<string> {
    const blob = await harness.blobs.put(bytes);
    const definition: Partial<SourceDefinition> = {
      source_type: 'pdf',
      upload: { blob, file_name, bytes: bytes.byteLength },
    };
    return harness.registerSource(tenant, file_name, definition);
  }
  const pdf =
    (bytes: Uint8Array, etag = `"${sha256(bytes)}"`): SitePage =>
    (request, response) => {
      const known = request.headers['if-none-match'] === etag;
      response
        .writeHead(known ? 304 : 200, { etag, 'content-type': 'application/octet-stream' })
        .end(known ? '' : bytes);
    };

  it('that were uploaded become chunks with the page to open and the heading they stand under', async () => {
    await start();
    const bytes = guide('sleep in groups');
    const job = await completed(await upload(bytes));
    expect(job.published.version_ref).toBe(sha256(bytes));
    expect(job.counters).toEqual({ ...NOTHING_NEW, files_processed: 1, chunks_created: 2 });
    const chunks = await harness.index.chunksOf(job.published.manifest);
    const shared = {
      path: 'guide.pdf',
      chunk_type: 'docs',
      language: 'pdf',
      symbol: 'Keeping marmosets',
    };
    expect(chunks).toMatchObject([
      {
        ...shared,
        fragment: '#page=1',
        content: '# Keeping marmosets\n\nThey live in the canopy and feed on gum.',
      },
      { ...shared, fragment: '#page=2', content: 'They sleep in groups.' },
    ]);
    expect(
      chunks.flatMap((chunk) => Object.keys(chunk)).filter((field) => field.endsWith('_line')),
    ).toEqual([]);
    const untitled = await completed(await upload(writePdf([linesAt(72, 160, ['Just words.'])])));
    expect(
      (await harness.index.chunksOf(untitled.published.manifest)).map(({ symbol }) => symbol),
    ).toEqual(['Page 1']);
  });

  it('that were uploaded never change, and are each their tenant’s own', async () => {
    await start();
    const bytes = guide('sleep in groups');
    const source = await upload(bytes);
    const first = await completed(source);
    const again = await completed(source);
    expect([again.counters, again.published]).toEqual([NOTHING_NEW, first.published]);
    const theirs = await completed(await upload(bytes, OTHER), OTHER);
    const [mine, others] = await Promise.all(
      [first, theirs].map(async ({ published }) => harness.index.chunksOf(published.manifest)),
    );
    expect(others?.map(({ content }) => content)).toEqual(mine?.map(({ content }) => content));
    expect(others?.map(({ chunk_id }) => chunk_id)).not.toEqual(
      mine?.map(({ chunk_id }) => chunk_id),
    );
  });

  it('that were uploaded are kept as long as a source is made of them', async () => {
    await start({}, () => new Date(LATER));
    const bytes = guide('sleep in groups');
    const [source, twin] = [await upload(bytes), await upload(bytes, OTHER)];
    await completed(source);
    const kept = async () => {
      await harness.pipeline?.collect();
      return harness.blobs.has(sha256(bytes));
    };
    expect(await kept()).toBe(true);
    await harness.commandSource(TENANT, source, { type: 'RemoveSource', data: {} });
    expect(await kept()).toBe(true);
    await harness.restart({ now: () => new Date(LATER) });
    await harness.until(
      async () => (harness.pipeline?.health().leads ? true : null),
      'the pipeline',
    );
    expect(await kept()).toBe(true);
    await harness.commandSource(OTHER, twin, { type: 'RemoveSource', data: {} });
    await harness.until(async () => ((await kept()) ? null : true), 'the file to be collected');
  });

  it('at a URL are fetched again only when they have changed', async () => {
    await start();
    const [before, after] = [guide('sleep in groups'), guide('sleep alone')];
    site.put({ '/guide': pdf(before) });
    const source = await harness.registerSource(TENANT, site.url('/guide'), { source_type: 'pdf' });
    const first = await completed(source);
    expect(first.published.version_ref).toBe(sha256(before));
    expect((await harness.index.chunksOf(first.published.manifest))[1]).toMatchObject({
      path: site.url('/guide'),
      fragment: '#page=2',
    });
    site.takeSeen();
    const warm = jest.spyOn(ThreadPool.prototype, 'warm');
    expect((await completed(source)).counters).toEqual(NOTHING_NEW);
    expect(site.takeSeen(304)).toEqual(['/guide']);
    site.put({ '/guide': pdf(before, '"another"') });
    expect((await completed(source)).counters).toEqual(NOTHING_NEW);
    expect(warm).not.toHaveBeenCalled();
    site.put({ '/guide': pdf(after) });
    const changed = await completed(source);
    expect(warm).toHaveBeenCalled();
    warm.mockRestore();
    expect(changed.published.version_ref).toBe(sha256(after));
    expect(changed.counters).toEqual({ ...NOTHING_NEW, files_processed: 1, chunks_updated: 1 });
  });

  it.each<[string, SitePage, Record<string, string>, string]>([
    [
      'a page',
      (_, response) => response.setHeader('content-type', 'text/html').end('<h1>Sign in</h1>'),
      {},
      'What URL answers is not a PDF, but text/html',
    ],
    ['nothing', (_, response) => response.writeHead(404).end(), {}, 'URL does not exist'],
    ['too much', pdf(guide('sleep')), { MAX_UPLOAD_BYTES: '500' }, 'URL is larger than 500 bytes'],
    [
      'too many pages',
      pdf(guide('sleep')),
      { PDF_MAX_PAGES: '1' },
      'The PDF URL has 2 pages, more than 1 (PDF_MAX_PAGES)',
    ],
    [
      'half a file',
      pdf(guide('sleep').subarray(0, 900)),
      {},
      'The PDF URL is incomplete: its end is missing',
    ],
  ])(
    'at a URL that gives %s fail their job at once, and say so',
    async (_, page, environment, message) => {
      await start(environment);
      site.put({ '/guide': page });
      const url = site.url('/guide');
      const source = await harness.registerSource(TENANT, url, { source_type: 'pdf' });
      const job = await harness.sync(TENANT, source);
      expect(job).toMatchObject({
        status: 'failed',
        error_message: message.replace('URL', url),
        retry_count: 0,
      });
    },
  );
});
