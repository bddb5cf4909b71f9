import { describe, expect, it } from '@jest/globals';

import type { SourceDefinition } from '#contracts';
import { createFetchers, fetcherFor } from '#ingest';
import { loadConfig, type StartProcess } from '#platform';
import { ProcessHelper } from '#platform/process/helper/process-helper';
import { startHere } from '#platform/process/started-process';
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
  const helper = new ProcessHelper({ warn: () => undefined });
  return {
    fetcher: createGitFetcher({ start: helper.start }),
    definition: definition(repository.url),
    missing: definition(`${repository.url}-gone`),
    async change(documents) {
      repository.commit(documents);
    },
    async dispose() {
      helper.close();
      folder.remove();
    },
  };
});

describe('the git fetcher', () => {
  it.each([
    ['v1', false, ['ls-remote', 'fetch', 'rev-parse', 'ls-tree', 'cat-file']],
    ['main', true, ['fetch', 'ls-tree', 'cat-file']],
    ['v1', true, ['fetch', 'ls-remote', 'fetch', 'rev-parse', 'ls-tree', 'cat-file']],
  ])(
    'starts every command with the given starter, for %s with a first sync %s',
    async (branch, isFirst, commands) => {
      const folder = tempDir();
      const asked: string[] = [];
      const start: StartProcess = (command, parameters, options) => {
        asked.push(
          parameters.find((word) => /^(ls-remote|fetch|rev-parse|ls-tree|cat-file)$/.test(word)) ??
            command,
        );
        return startHere(command, parameters, options);
      };
      try {
        const repository = TestRepository.create(`${folder.path}/repository`, { 'a.md': '# A' });
        repository.git('tag', '--annotate', '--message', 'One', 'v1');
        const version = await createGitFetcher({ start }).resolve({
          tenantId: 't1',
          definition: { ...definition(repository.url), branch },
          directory: `${folder.path}/scratch`,
          recipe: 'r1',
          isFirst,
          limits: { maxFileBytes: 10_000, maxSourceBytes: 1_000_000, maxSourceFiles: 100 },
          network: {
            allowPrivateNetworks: true,
            fileUrls: { below: ['/'], except: '/nonexistent' },
          },
          signal: new AbortController().signal,
          timeoutMs: 20_000,
        });
        const snapshot = await version.open([]);
        for await (const { path } of snapshot.read(snapshot.documents)) expect(path).toBe('a.md');
        await snapshot.close();
        expect(asked).toEqual(commands);
      } finally {
        folder.remove();
      }
    },
  );
});

describe('the table of fetchers', () => {
  const fetchers = createFetchers(loadConfig({}, '/'), {
    get: () => Promise.reject(new Error('nothing is uploaded')),
  });

  it('has git for repositories', () => {
    expect(fetcherFor(fetchers, definition('https://example.com/x.git'))).toBe(fetchers.repo);
  });

  it('has a separate fetcher for HTML docs', () => {
    const docs = {
      ...definition('https://example.com/x'),
      source_type: 'docs',
      docs_format: 'html',
    } as const;
    expect(fetcherFor(fetchers, docs)).toBe(fetchers.docs_html);
    expect(fetchers.docs_html).toBeDefined();
  });

  it('names the type of source that it does not support', () => {
    const unread = () =>
      fetcherFor(
        {},
        { ...definition('https://example.com/x'), source_type: 'docs', docs_format: 'html' },
      );
    expect(unread).toThrow('Sources of type docs (html) cannot be synced by this version');
  });
});
