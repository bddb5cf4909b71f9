import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { ApiClient, SearchView } from '#test/support/api-client';
import { TestRepository } from '#test/support/git-repository';
import { RerankEndpoint } from '#test/support/rerank-endpoint';
import { TwoTenantService } from '#test/support/two-tenants';

const QUERY = 'how does the service stop overload of busy clients quickly';

describe('a reranker behind an endpoint of Text Embeddings Inference', () => {
  let service: TwoTenantService;
  let endpoint: RerankEndpoint;

  beforeAll(async () => {
    endpoint = await RerankEndpoint.start('tei');
    service = await TwoTenantService.start({
      RERANK_BASE_URL: endpoint.url,
      RERANK_MODEL: 'test-reranker',
      RERANK_FORMAT: 'tei',
      RERANK_TIMEOUT_SECONDS: '1',
    });
    const add = async (client: ApiClient, name: string) => {
      const { url } = TestRepository.create(`${service.scratch}/${name}`, {
        'src/near.md': `The service of ${name} stops overload of busy clients quickly.\n`,
        'src/far.md': `The service of ${name} has clients. relevant relevant\n`,
      });
      const source = await client.createRepo(name, url);
      await client.syncToEnd(source.id);
    };
    await add(service.first, 'alpha');
    await add(service.second, 'beta');
  }, 120_000);
  afterAll(async () => {
    await service.dispose();
    await endpoint.close();
  });

  const paths = ({ results = [] }: SearchView) => results.map(({ citation }) => citation.path);

  it.each(['alpha', 'beta'])(
    'orders the results of a tenant by its own passages: %s',
    async (name) => {
      endpoint.requests.length = 0;
      const client = name === 'alpha' ? service.first : service.second;
      expect(paths(await client.search(QUERY))).toEqual(['src/far.md', 'src/near.md']);
      const [request] = endpoint.requests;
      expect(request?.texts).toHaveLength(2);
      for (const text of request?.texts ?? []) expect(text).toContain(`of ${name}`);
    },
  );

  it('returns the order without it, marked, when the endpoint hangs or is gone', async () => {
    endpoint.always = { kind: 'hang' };
    const late = await service.first.search(QUERY);
    expect(paths(late)).toEqual(['src/near.md', 'src/far.md']);
    expect(late.warnings).toEqual([expect.stringContaining('did not answer in time')]);
    await endpoint.close();
    const gone = await service.first.search(QUERY);
    expect(paths(gone)).toEqual(['src/near.md', 'src/far.md']);
    expect(gone.warnings).toEqual([expect.stringContaining('gave no usable answer')]);
  });
});
