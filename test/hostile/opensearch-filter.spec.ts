import { describe, expect, it } from '@jest/globals';

import { IndexLayout } from '#search-index/opensearch/index-layout';
import { AcceptedFiles } from '#search-index/opensearch/search/accepted-files';
import type { SearchServer } from '#search-index/opensearch/server';
import { uuidOf } from '#test/support/indexed-source';

const FILES = 4_000;
const SOURCE = { tenantId: uuidOf('tenant'), sourceId: uuidOf('source'), generation: 1 };
const ENTRY = {
  generation: 1,
  fingerprint: 'f',
  chunks: FILES,
  total_length: 1,
  embedder: { id: 'm', dimensions: 16 },
};
const FILTER = { paths: ['src/**', 'docs/{guide,reference}/*.md'], languages: [] };

/** A server that has files and counts how often it is asked for them. */
function serverOf(): { readonly server: SearchServer; readonly asked: () => number } {
  let asked = 0;
  const buckets = Array.from({ length: FILES }, (_, at) => {
    return { key: { path: `${at % 2 === 0 ? 'src' : 'lib'}/${at}.ts`, language: 'typescript' } };
  });
  const searches = () => {
    asked += 1;
    return Promise.resolve([{ aggregations: { files: { buckets } } }]);
  };
  return { server: { searches } as unknown as SearchServer, asked: () => asked };
}

function filesOver(server: SearchServer, now: () => number): AcceptedFiles {
  return new AcceptedFiles(
    server,
    new IndexLayout(server, { indexPrefix: 'p', shards: 1, replicas: 0 }),
    now,
  );
}

describe('a hostile filter on OpenSearch', () => {
  it('fails alone when it is over its budget, and lets other work in before', async () => {
    let time = 0;
    const files = filesOver(serverOf().server, () => (time += 1));
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 0);
    const asked = files.filter([SOURCE], [ENTRY] as never, FILTER);
    await expect(asked).rejects.toMatchObject({ code: 'search_too_costly', status: 400 });
    clearInterval(counting);
    expect(turns).toBeGreaterThan(0);
  });

  it('goes on where a search that was too costly ended, and decides no file twice', async () => {
    let time = 0;
    let step = 1;
    const { server, asked } = serverOf();
    const files = filesOver(server, () => (time += step));
    const found: unknown[] = [];
    for (let attempt = 0; attempt < 10 && found.length === 0; attempt += 1) {
      const clause = await files
        .filter([SOURCE], [ENTRY] as never, FILTER)
        .catch((error: Error) => error);
      if (!(clause instanceof Error)) found.push(clause);
    }
    expect(found).toHaveLength(1);
    // Each further decision would be over the budget.
    step = 3_000;
    expect(await files.filter([SOURCE], [ENTRY] as never, FILTER)).toEqual(found[0]);
    expect(asked()).toBe(1);
  });
});
