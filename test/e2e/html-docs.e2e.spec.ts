import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiClient, type ResultView, type SourceView } from '#test/support/api-client';
import { ServiceProcess } from '#test/support/service-process';
import { tempDir } from '#test/support/temp-dir';
import { WebSite } from '#test/support/web-site';

const KEY = `fnt_${'h'.repeat(40)}`;
const NAVIGATION =
  '<nav><a href="/guide/">Guide</a> <a href="/guide/install.html">Install</a></nav>';
const page = (title: string, content: string): string =>
  `<!doctype html><title>${title}</title><body>${NAVIGATION}<main>${content}</main><footer>Imprint</footer>`;
const INSTALL = page(
  'Install',
  `<h1 id="install">Install</h1><p>Fetch the marmoset archive.</p>
   <h2 id="upgrade">Upgrade</h2><p>Stop the capybara daemon first.</p>
   <pre><code class="language-sh">capyctl stop\n\ncapyctl upgrade --all</code></pre>
   <h2 id="options">Options</h2><table><tr><th>Option<th>Meaning<tr><td><code>--dry-tapir</code><td>Changes nothing</table>`,
);
const USE = page('Use', '<h1 id="use">Use</h1><p>Ask the okapi politely.</p>');

describe('HTML docs: register, sync, search and follow a citation', () => {
  const data = tempDir('footnote-e2e-');
  let site: WebSite;
  let service: ServiceProcess;
  let api: ApiClient;
  let source: SourceView;

  beforeAll(async () => {
    site = await WebSite.start({
      '/guide/': page(
        'Guide',
        '<h1>Guide</h1><p>Read on: <a href="use.html">use</a>, <a href="gone.html">gone</a>.</p>',
      ),
      '/guide/install.html': INSTALL,
      '/guide/use.html': USE,
    });
    const environment = { ALLOW_PRIVATE_NETWORKS: 'true', CRAWL_DELAY_MS: '0' };
    service = await ServiceProcess.start({ dataDir: data.path, key: KEY, environment });
    api = new ApiClient(service.url, KEY);
    const fields = {
      name: 'Guide',
      source_type: 'docs',
      docs_format: 'html',
      url: site.url('/guide/'),
    };
    source = await api.expect<SourceView>('POST', '/sources', fields);
  }, 90_000);
  afterAll(async () => {
    await service.stop();
    await site.stop();
    data.remove();
  });

  async function best(query: string): Promise<ResultView> {
    const [first] = (await api.search(query)).results ?? [];
    if (!first) throw new Error(`nothing was found for ${query}`);
    return first;
  }
  const content = (path: string) =>
    api.call<{ content: string }>(
      'GET',
      `/sources/${source.id}/content?path=${encodeURIComponent(path)}`,
    );

  it('finds a passage, names the place that a reader finds it at, and reads it back', async () => {
    const job = await api.syncToEnd(source.id);
    expect(job).toMatchObject({
      files_processed: 3,
      chunks_created: 5,
      chunks_updated: 0,
      chunks_deleted: 0,
    });
    const upgrade = await best('how to upgrade the capybara daemon');
    expect(upgrade.citation).toMatchObject({
      path: site.url('/guide/install.html#upgrade'),
      symbol: 'Install > Upgrade',
      language: 'markdown',
      chunk_type: 'docs',
    });
    expect(Object.keys(upgrade.citation)).not.toContain('start_line');
    expect(upgrade.content).toBe(
      '## Upgrade\n\nStop the capybara daemon first.\n\n```sh\ncapyctl stop\n\ncapyctl upgrade --all\n```',
    );
    expect((await content(upgrade.citation.path)).body.content).toBe(upgrade.content);
    const whole = (await content(site.url('/guide/install.html'))).body.content;
    expect(whole).toContain(upgrade.content);
    expect(whole).not.toMatch(/Imprint|Guide/);
    expect((await best('dry-tapir option')).content).toContain(
      '| `--dry-tapir` | Changes nothing |',
    );
    const below = await api.search('capybara', { path_patterns: ['**/use.html'] });
    expect((below.results ?? []).map(({ citation }) => citation.path)).not.toContain(
      upgrade.citation.path,
    );
  });

  it('asks again for what has changed alone, and keeps what a page said that fails once', async () => {
    site.takeSeen();
    const same = await api.syncToEnd(source.id);
    expect(same).toMatchObject({
      files_processed: 0,
      chunks_created: 0,
      chunks_updated: 0,
      chunks_deleted: 0,
    });
    expect(same.stage_details).toEqual({
      files_fetched: 0,
      bytes_fetched: 0,
      files_skipped: 0,
      files_unchanged: 3,
      pages_unchanged: 3,
      pages_failed: 1,
      [site.url('/guide/gone.html')]: 404,
    });
    expect(site.takeSeen(200)).toEqual([]);
    site.put({
      '/guide/install.html': INSTALL.replace('capybara daemon', 'wombat daemon'),
      '/guide/use.html': null,
    });
    const changed = await api.syncToEnd(source.id);
    expect(changed).toMatchObject({
      files_processed: 1,
      chunks_created: 0,
      chunks_updated: 1,
      chunks_deleted: 0,
    });
    expect((await best('wombat daemon')).citation.path).toBe(
      site.url('/guide/install.html#upgrade'),
    );
    expect((await best('okapi')).citation.path).toBe(site.url('/guide/use.html#use'));
    const gone = await api.syncToEnd(source.id);
    expect(gone).toMatchObject({
      files_processed: 0,
      chunks_created: 0,
      chunks_updated: 0,
      chunks_deleted: 1,
    });
    expect((await api.search('okapi politely')).results ?? []).toEqual([]);
  });

  it('says what is wrong with a site that cannot be read', async () => {
    const fields = { name: 'Gone', source_type: 'docs', url: site.url('/nowhere/') };
    const { id } = await api.expect<SourceView>('POST', '/sources', fields);
    expect(await api.finished(await api.sync(id))).toMatchObject({
      status: 'failed',
      error_message: `${site.url('/nowhere/')} does not exist`,
      error_details: { url: site.url('/nowhere/'), status_code: 404 },
      retry_count: 0,
    });
  });
});
