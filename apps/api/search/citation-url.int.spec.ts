import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { MultiHopResponse, SearchResponse } from '#contracts';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish, type PublishedDocument, uniqueWord } from '#test/support/api/publish';

/** A chunk of so many lines, each of which has the word. */
function lines(word: string, count: number): string {
  return Array.from({ length: count }, (_, at) => `${word} step ${at} of the procedure`).join('\n');
}

describe('the url of a citation', () => {
  let api: ApiHarness;
  beforeAll(async () => {
    api = await ApiHarness.start({ environment: { GIT_HOST_KINDS: 'git.example.com=gitea' } });
  });
  afterAll(() => api.stop());

  const published = async (documents: readonly PublishedDocument[], definition: object) =>
    publish(api, documents, { tenant: api.tenantA, definition });

  async function search(query: string, fields: object = {}, path = '/search') {
    const answer = await api.call<SearchResponse>('POST', path, { query, ...fields });
    expect(answer.body.results.length).toBeGreaterThan(0);
    return { urls: answer.body.results.map(({ citation }) => citation.url), answer };
  }

  it('is where the live version was read from, also after the source was moved, and a replay gives the same', async () => {
    const word = uniqueWord();
    const document = { path: 'src/a.py', content: lines(word, 3) };
    const sourceId = await published([document], { url: 'https://github.com/acme/old.git' });
    const old = `https://github.com/acme/old/blob/commit-1/src/a.py#L1-L3`;
    const { urls, answer } = await search(word);
    expect(urls).toEqual([old]);

    const moved = { url: 'https://git.example.com/acme/new' };
    expect((await api.call('PATCH', `/sources/${sourceId}`, moved)).status).toBe(200);
    expect((await search(word)).urls).toEqual([old]);

    const again = { tenant: api.tenantA, sourceId, generation: 2, definition: moved };
    await publish(api, [document], again);
    expect((await search(word)).urls).toEqual([`${moved.url}/src/commit/commit-2/src/a.py#L1-L3`]);

    const receiptId = String(answer.headers['x-receipt-id']);
    const replayed = await api.call<SearchResponse>('POST', `/receipts/${receiptId}/replay`);
    expect({ ...replayed.body, search_time_ms: 0 }).toEqual({ ...answer.body, search_time_ms: 0 });
  });

  it('names the lines that are shown: those that a budget leaves, and those of a joined passage', async () => {
    const word = uniqueWord();
    const content = lines(word, 40);
    await published([{ path: 'src/long.py', content }], { url: 'https://gitlab.com/acme/long' });
    const cut = (await search(word, { max_tokens: 150 })).answer.body.results[0]?.citation;
    expect(cut?.end_line).toBeLessThan(40);
    expect(cut?.url).toBe(
      `https://gitlab.com/acme/long/-/blob/commit-1/src/long.py#L1-${cut?.end_line}`,
    );

    const beside = uniqueWord();
    const parts = [
      { path: 'src/parts.py', content: lines(beside, 3) },
      {
        path: 'src/parts.py',
        content: 'nothing = of_the_word\nmore = of_it',
        ordinal: 1,
        startLine: 4,
      },
    ];
    await published(parts, { url: 'https://bitbucket.org/acme/parts' });
    const { answer } = await search(
      beside,
      { neighbor_line_radius: 5, max_tokens: 4000 },
      '/search/rmh',
    );
    const joined = (answer.body as MultiHopResponse).results[0]?.citation;
    expect([joined?.start_line, joined?.end_line]).toEqual([1, 5]);
    expect(joined?.url).toBe(
      'https://bitbucket.org/acme/parts/src/commit-1/src/parts.py#lines-1:5',
    );
  });

  it('is the address of a page, and is left out on a host that nobody said anything of', async () => {
    const page = uniqueWord();
    const address = 'https://docs.example.com/guide';
    const documents = [{ path: address, fragment: '#install', content: `${page} is installed` }];
    await published(documents, {
      source_type: 'docs',
      docs_format: 'html',
      url: address,
      branch: undefined,
    });
    expect((await search(page)).urls).toEqual([`${address}#install`]);

    const word = uniqueWord();
    await published([{ path: 'src/a.py', content: word }], {
      url: 'https://example.net/acme/site.git',
    });
    const [result] = (await search(word)).answer.body.results;
    expect(result?.citation).not.toHaveProperty('url');
  });
});
