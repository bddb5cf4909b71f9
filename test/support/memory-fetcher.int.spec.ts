import type { SourceDefinition } from '#contracts';
import { fetcherContract } from '#test/contracts/fetcher.contract';

import { MemoryFetcher } from './memory-fetcher.js';

const definition = (url: string): SourceDefinition => ({
  source_type: 'docs',
  url,
  include_patterns: [],
  exclude_patterns: [],
});

fetcherContract('pages in memory', async () => {
  const fetcher = new MemoryFetcher();
  return {
    fetcher,
    definition: definition('https://docs.example/'),
    missing: definition('https://docs.example/gone'),
    async change(documents) {
      fetcher.change(documents);
    },
    async dispose() {},
  };
});
