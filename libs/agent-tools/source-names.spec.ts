import { describe, expect, it } from '@jest/globals';

import type { SourceView } from '#contracts/http/index';

import type { AgentService } from './agent-service.port.js';
import { sourcesNamed } from './source-names.js';

const ID = '019bc0de-5c1e-7d52-9f0a-3a8f6f0f9a11';
const source = (id: string, name: string, url: string) => ({ id, name, url }) as SourceView;
const SOURCES = [
  source('1', 'Flask', 'https://github.com/pallets/flask'),
  source('2', 'Shop', 'git@git.example.com:acme/shop.git'),
  source('3', 'Docs', 'https://example.com/docs/'),
  source('4', 'docs', 'https://example.org/docs/'),
];

/** A service with sources, in pages of two. */
function serviceOf(sources: readonly SourceView[]): AgentService {
  return {
    listSources: async ({ skip }) => ({
      sources: sources.slice(skip, skip + 2),
      total: sources.length,
    }),
  } as Partial<AgentService> as AgentService;
}

describe('the names of sources', () => {
  const service = serviceOf(SOURCES);

  it('are names, owner/repo or ids, in any case', async () => {
    const named = await sourcesNamed(service, ['flask', 'ACME/shop', ID.toUpperCase()]);
    expect(named.map(({ id }) => id)).toEqual(['1', '2', ID]);
  });

  it('are rejected with the candidates if two sources have one', async () => {
    await expect(sourcesNamed(service, ['DOCS'])).rejects.toThrow(
      'Source "DOCS" is ambiguous; name one by id: 3 (Docs, https://example.com/docs/); ' +
        '4 (docs, https://example.org/docs/)',
    );
  });

  it('are rejected with the nearest ones if no source has it', async () => {
    await expect(sourcesNamed(service, ['flsk'])).rejects.toThrow(
      /^No source is named "flsk"\. The nearest names: "Flask",/,
    );
    await expect(sourcesNamed(serviceOf([]), ['x'])).rejects.toThrow('There are no sources.');
  });

  it('show no invisible character of a name', async () => {
    const hidden = serviceOf([source('1', 'a\u202eb', 'https://example.com/x')]);
    await expect(sourcesNamed(hidden, ['ab'])).rejects.toThrow('"a\\u{202e}b"');
  });
});
