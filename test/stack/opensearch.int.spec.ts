import { randomUUID } from 'node:crypto';

import { describe, it, jest } from '@jest/globals';

import { silentLogger } from '#platform';
import type { OpenSearchIndexOptions } from '#search-index';
import { openOpenSearchIndex } from '#search-index/opensearch/opensearch-index';

import { searchIndexContract } from '../contracts/search-index.contract.js';

const url = process.env['OPENSEARCH_URL'];

// Each test makes indices of its own.
jest.setTimeout(60_000);

if (url) {
  searchIndexContract('OpenSearch', async () => {
    const options: OpenSearchIndexOptions = { url, logger: silentLogger, indexPrefix: `test-${randomUUID()}` };
    let index = await openOpenSearchIndex(options);
    return {
      index,
      async reopen() {
        await index.close();
        return (index = await openOpenSearchIndex(options));
      },
      async dispose() {
        await index.close();
        for (const path of ['', '_index_template/']) {
          await fetch(`${url}/${path}${options.indexPrefix}-*`, { method: 'DELETE' });
        }
      },
    };
  });
} else {
  describe('search index: OpenSearch', () => {
    it.todo('runs when OPENSEARCH_URL is set');
  });
}
