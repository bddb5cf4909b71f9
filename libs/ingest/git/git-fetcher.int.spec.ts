import { describe, expect, it } from '@jest/globals';

import type { SourceDefinition } from '#contracts';
import { createFetchers, fetcherFor } from '#ingest';
import { loadConfig } from '#platform';
import { fetcherContract } from '#test/contracts/fetcher.contract';
import { TestRepository } from '#test/support/git-repository';
import { tempDir } from '#test/support/temp-dir';

import { createGitFetcher } from './git-fetcher.js';

const definition = (url: string): SourceDefinition => ({
  source_type: 'repo',
  url,
  include_patterns: [],
  exclude_patterns: [],
});

fetcherContract('git', async () => {
  const folder = tempDir();
  const repository = TestRepository.create(`${folder.path}/repository`);
  return {
    fetcher: createGitFetcher(),
    definition: definition(repository.url),
    missing: definition(`${repository.url}-gone`),
    async change(documents) {
      repository.commit(documents);
    },
    async dispose() {
      folder.remove();
    },
  };
});

describe('the table of fetchers', () => {
  const fetchers = createFetchers(loadConfig({}, '/'), { get: () => Promise.reject(new Error('nothing is uploaded')) });

  it('has git for repositories', () => {
    expect(fetcherFor(fetchers, definition('https://example.com/x.git'))).toBe(fetchers.repo);
  });

  it('has one of its own for HTML docs', () => {
    const docs = { ...definition('https://example.com/x'), source_type: 'docs', docs_format: 'html' } as const;
    expect(fetcherFor(fetchers, docs)).toBe(fetchers.docs_html);
    expect(fetchers.docs_html).toBeDefined();
  });

  it('says what it cannot read', () => {
    const unread = () =>
      fetcherFor({}, { ...definition('https://example.com/x'), source_type: 'docs', docs_format: 'html' });
    expect(unread).toThrow('Sources of type docs (html) cannot be synced by this version');
  });
});
