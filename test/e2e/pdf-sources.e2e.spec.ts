import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { linesAt, writePdf } from '#test/support/pdf/pdf-writer';
import { TwoTenantService } from '#test/support/two-tenants';
import { WebSite } from '#test/support/web-site';

const TITLE = { text: 'Keeping marmosets', x: 72, y: 120, size: 24 };
const manual = writePdf([
  [TITLE, ...linesAt(72, 160, ['They live in the canopy, and', 'sleep in a tangle of vines.'])],
  linesAt(72, 160, ['Marmosets gnaw holes into bark', 'and feed on the gum that flows.']),
  linesAt(72, 160, ['Twins are carried by their fathers.']),
]);

describe('PDFs', () => {
  let service: TwoTenantService;
  let site: WebSite;
  beforeAll(async () => {
    service = await TwoTenantService.start({ ALLOW_PRIVATE_NETWORKS: 'true' });
    site = await WebSite.start({
      '/manual.pdf': (_, response) => void response.writeHead(200, { etag: '"1"' }).end(manual),
      '/login.pdf': (_, response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in'),
    });
  }, 60_000);
  afterAll(async () => {
    await site.stop();
    await service.dispose();
  });

  /**
   * The page that a question is answered with, what stands there, and what the citation leads to.
   */
  async function answer(question: string, sourceId: string) {
    const { results } = await service.first.search(question, { source_ids: [sourceId] });
    const [first] = results ?? [];
    if (!first) throw new Error('nothing was found');
    const path = encodeURIComponent(first.citation.path);
    const { content } = await service.first.expect<{ content: string }>(
      'GET',
      `/sources/${sourceId}/content?path=${path}`,
    );
    return { first, content };
  }

  it('that are uploaded are searched, cited by their page, and read back there', async () => {
    const { status, body } = await service.first.upload(manual, 'Marmosets (2nd ed.).pdf');
    expect(status).toBe(201);
    const job = await service.first.finished(body.job_id);
    expect(job).toMatchObject({ status: 'completed', files_processed: 1, chunks_created: 3 });
    const { first, content } = await answer('gum that flows out of bark', body.id);
    expect(first.citation).toMatchObject({
      path: 'Marmosets (2nd ed.).pdf#page=2',
      symbol: 'Keeping marmosets',
    });
    expect(first.citation).not.toHaveProperty('start_line');
    expect(first.content).toBe('Marmosets gnaw holes into bark and feed on the gum that flows.');
    expect(content).toBe(first.content);
    expect(await service.second.search('gum that flows out of bark')).not.toHaveProperty('results');
    expect(await service.first.syncToEnd(body.id)).toMatchObject({
      files_processed: 0,
      chunks_created: 0,
    });
    expect((await service.second.call('GET', `/sources/${body.id}`)).status).toBe(404);
  });

  it('at a URL are cited by that and the page', async () => {
    const url = site.url('/manual.pdf');
    const body = { name: 'Manual', source_type: 'pdf', url };
    const source = await service.first.expect<{ id: string }>('POST', '/sources', body);
    await service.first.syncToEnd(source.id);
    const { first } = await answer('twins and fathers', source.id);
    expect(first.citation.path).toBe(`${url}#page=3`);
  });

  it('fail their job with a clear sentence where the file is no PDF', async () => {
    const url = site.url('/login.pdf');
    const source = await service.first.expect<{ id: string }>('POST', '/sources', {
      name: 'x',
      source_type: 'pdf',
      url,
    });
    const job = await service.first.finished(await service.first.sync(source.id));
    expect(job).toMatchObject({
      status: 'failed',
      error_message: `What ${url} answers is not a PDF, but text/html`,
      error_details: { url },
      retry_count: 0,
    });
  });
});
