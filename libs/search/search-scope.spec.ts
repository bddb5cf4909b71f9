import { describe, expect, it } from '@jest/globals';

import { type Audience, POLICY_DEFAULTS, TENANT_AUDIENCE } from '#contracts';

import { searchScope } from './search-scope.js';
import type { SearchableSource } from './searchable-source.js';

const IN_CONVERSATION: Audience = { kind: 'conversation', conversation_id: 'c1' };
const source = (
  sourceId: string,
  kind: SearchableSource['kind'],
  audience = TENANT_AUDIENCE,
): SearchableSource => ({
  tenantId: 't1',
  sourceId,
  generation: 1,
  name: sourceId,
  audience,
  kind,
  versionRef: 'v1',
  pages: null,
  syncedAt: 0,
});

describe('the scope of a search', () => {
  it('weighs sources by their type, and what was put into a conversation a quarter more', () => {
    const sources = [
      source('repo', 'repo'),
      source('html', 'docs_html'),
      source('pdf', 'pdf'),
      source('own pdf', 'pdf', IN_CONVERSATION),
    ];
    const { eligible } = searchScope(
      { sources, lost: [], indexedOnly: [] },
      { include_stale: true },
      POLICY_DEFAULTS,
      1,
    );
    expect(
      [...eligible.values()].map(({ source: { name }, priority }) => [name, priority]),
    ).toEqual([
      ['repo', 1],
      ['html', 0.8],
      ['pdf', 1],
      ['own pdf', 1.25],
    ]);
  });
});
