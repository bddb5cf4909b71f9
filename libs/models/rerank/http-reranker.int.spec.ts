import { describe, expect, it } from '@jest/globals';

import { loadConfig, type RerankSettings, silentLogger, systemClock } from '#platform';
import { rerankerContract, type RerankerOptions } from '#test/contracts/reranker.contract';
import { RerankEndpoint } from '#test/support/rerank-endpoint';

import { createReranker } from '../create-reranker.js';
import { createHttpReranker } from './http-reranker.js';

async function open(
  format: RerankSettings['format'],
  { timeoutSeconds = 30 }: RerankerOptions = {},
  logger = silentLogger,
) {
  const endpoint = await RerankEndpoint.start(format);
  const { rerank } = loadConfig(
    {
      RERANK_BASE_URL: endpoint.url,
      RERANK_MODEL: 'test-reranker',
      RERANK_FORMAT: format,
      RERANK_API_KEY: 'sk-rerank',
      RERANK_TIMEOUT_SECONDS: String(timeoutSeconds),
    },
    '/',
  );
  const config = rerank as RerankSettings;
  const reranker = createHttpReranker({ config, clock: systemClock, logger, backoffMs: 1 });
  return { endpoint, reranker, dispose: () => endpoint.close() };
}

rerankerContract('Cohere and Jina', (options) => open('cohere', options));
rerankerContract('Text Embeddings Inference', (options) => open('tei', options));

describe('the requests of a reranker', () => {
  const passages = ['a', 'b'].map((content) => ({ path: '', defs: [], content }));

  it('have model and number of results in the format of Cohere', async () => {
    const { endpoint, reranker, dispose } = await open('cohere');
    await reranker.rank('q', passages);
    expect(endpoint.requests).toMatchObject([{ authorization: 'Bearer sk-rerank' }]);
    expect(endpoint.requests[0]?.body).toEqual({
      model: 'test-reranker',
      query: 'q',
      documents: ['a', 'b'],
      top_n: 2,
    });
    await dispose();
  });

  it('have at most 32 texts, which the server may cut, in the format of TEI', async () => {
    const { endpoint, reranker, dispose } = await open('tei');
    await reranker.rank('q', passages);
    expect(endpoint.requests[0]?.body).toEqual({ query: 'q', texts: ['a', 'b'], truncate: true });
    endpoint.requests.length = 0;
    await reranker.rank(
      'q',
      Array.from({ length: 50 }, () => passages)
        .flat()
        .slice(0, 50),
    );
    expect(endpoint.requests.map(({ texts }) => texts.length)).toEqual([25, 25]);
    await dispose();
  });
});

describe('the log of a reranker', () => {
  it('has a line for the first failure and for the first success after it', async () => {
    const lines: string[] = [];
    const add = (_: object, line: string) => void lines.push(line);
    const logger = { ...silentLogger, info: add, warn: add };
    const { endpoint, reranker, dispose } = await open('cohere', {}, logger);
    const ask = () =>
      reranker
        .rank('q', [
          { path: '', defs: [], content: 'a' },
          { path: '', defs: [], content: 'b' },
        ])
        .catch(() => undefined);
    await ask();
    endpoint.always = { kind: 'status', status: 400 };
    await ask();
    await ask();
    endpoint.always = undefined;
    await ask();
    await ask();
    expect(lines).toEqual([
      'reranker: no usable answer; results keep the order without it',
      'reranker: the endpoint answers again; reranking results',
    ]);
    await dispose();
  });
});

describe('createReranker', () => {
  it('creates none without an endpoint', async () => {
    const config = loadConfig({}, '/');
    expect(await createReranker({ config, clock: systemClock, logger: silentLogger })).toBeNull();
  });
});
