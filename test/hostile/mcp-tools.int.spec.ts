import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';

import { countO200k } from '#ingest/chunk/tokens';
import { ApiHarness } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';
import { callTool } from '#test/support/api/tool-calls';
import { type HostileDocument, hostileDocuments } from '#test/support/hostile-documents';
import { MemoryPackages } from '#test/support/memory-packages';

import { HIDDEN, outsideFences } from './shown-text.js';

const CALLS = 10_000;
const SEED = 30;
/** Budget of a result without a valid `max_tokens`. */
const DEFAULT_TOKENS = 4_000;
const CANARY = 'canaryofanothertenant';

describe('the tools of agents', () => {
  let api: ApiHarness;
  let documents: readonly HostileDocument[];

  beforeAll(async () => {
    api = await ApiHarness.start({ packageRegistry: new MemoryPackages() });
    // No request may reach what documents name; nothing listens at this address.
    documents = hostileDocuments({
      url: 'http://127.0.0.1:9',
      otherTenant: { id: api.tenantB, path: 'secrets/plan.md' },
    });
    await publish(
      api,
      documents.map(({ path, content, isProse }) => ({
        path,
        content,
        ...(isProse && { chunkType: 'docs' as const }),
      })),
      { tenant: api.tenantA, name: 'No\u202etes ```' },
    );
    const secrets = documents.map(({ word }) => `${CANARY} ${word}`).join('\n');
    await publish(api, [{ path: 'secrets/plan.md', content: secrets }], {
      tenant: api.tenantB,
      name: 'Secrets',
    });
  });
  afterAll(() => api.stop());

  it.each([
    ['search', ({ word }: HostileDocument) => ({ query: `Who clears the ${word}?` })],
    ['search_code', ({ word }: HostileDocument) => ({ pattern: word })],
    [
      'read_file',
      ({ path }: HostileDocument) => ({ source: 'No\u202etes ```', path, max_tokens: 9_000 }),
    ],
    ['list_files', () => ({ source: 'No\u202etes ```', glob: '**' })],
    ['find_definitions', ({ path }: HostileDocument) => ({ source: 'No\u202etes ```', path })],
    ['find_references', ({ word }: HostileDocument) => ({ name: word })],
    ['list_sources', () => ({})],
    ['audit_events', () => ({})],
  ] as const)('%s shows hostile text as data of its tenant alone', async (tool, inputOf) => {
    const problems: string[] = [];
    for (const document of documents) {
      const { text, isError } = await callTool(api, api.tenantA, tool, inputOf(document));
      const outside = outsideFences(text);
      if (isError) problems.push(`${document.path}: ${text}`);
      if (HIDDEN.test(text)) problems.push(`${document.path}: hidden characters`);
      if (text.includes(CANARY)) problems.push(`${document.path}: text of another tenant`);
      if (outside.includes('is cleared by its owner'))
        problems.push(`${document.path}: text outside a fence: ${outside}`);
    }
    expect(problems).toEqual([]);
  });

  it.each(['get_receipt', 'replay'])(
    '%s shows a search for hostile text likewise',
    async (tool) => {
      const problems: string[] = [];
      for (const { path, word } of documents) {
        const query = { query: `Who clears the ${word}?` };
        const found = await callTool(api, api.tenantA, 'search', query);
        const receipt_id = /Receipt ([0-9a-f-]{36})\./.exec(found.text)?.[1];
        const { text, isError } = await callTool(api, api.tenantA, tool, { receipt_id });
        if (isError || HIDDEN.test(text) || text.includes(CANARY))
          problems.push(`${path}: ${text}`);
        if (outsideFences(text).includes('is cleared by its owner'))
          problems.push(`${path}: ${text}`);
        const theirs = await callTool(api, api.tenantB, tool, { receipt_id });
        if (!theirs.isError) problems.push(`${path}: shown to another tenant`);
      }
      expect(problems).toEqual([]);
    },
  );

  it('answer calls by chance within their budget, without failures of the service', async () => {
    const problems: string[] = [];
    const calls = fc.sample(anyCall(), { numRuns: CALLS, seed: SEED });
    for (const [at, [tool, input]] of calls.entries()) {
      const isStructured = at % 2 === 1;
      const answer = await callTool(api, api.tenantA, tool, input, isStructured);
      const { status, errorCode, isError } = answer;
      const text = isStructured && !isError ? answer.structured : answer.text;
      const given = (input as { max_tokens?: unknown }).max_tokens;
      const isBudget = Number.isInteger(given) && Number(given) >= 200 && Number(given) <= 9_000;
      const budget = isBudget ? Number(given) : DEFAULT_TOKENS;
      const failed = status >= 500 || errorCode !== undefined || text.includes('internal_error');
      const tokens = countO200k(text);
      if (failed || tokens > budget || text === '')
        problems.push(`${tool} ${JSON.stringify(input)}: ${status} ${errorCode} ${tokens} ${text}`);
    }
    expect(problems.slice(0, 5)).toEqual([]);
  }, 3_600_000);
});

/** Arguments of each tool. Jobs are continued and never started: no worker would end them. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  search: ['query', 'sources', 'paths', 'languages', 'max_tokens'],
  search_code: ['pattern', 'regex', 'word', 'sources', 'paths', 'context_lines', 'limit', 'cursor'],
  read_file: ['source', 'path', 'symbol', 'start_line', 'end_line', 'max_tokens'],
  list_files: ['source', 'path', 'glob', 'depth', 'skip', 'max_tokens'],
  list_sources: ['status', 'skip', 'max_tokens'],
  search_package: ['package', 'ecosystem', 'version', 'query', 'max_tokens'],
  find_definitions: [
    ...['name', 'partial', 'source', 'path', 'line', 'column', 'limit', 'cursor', 'max_tokens'],
  ],
  find_references: [
    ...['name', 'source', 'path', 'line', 'column', 'limit', 'cursor', 'max_tokens'],
  ],
  research: ['repos', 'mode', 'job_id', 'max_tokens'],
  add_source: ['name', 'source_type', 'url', 'branch', 'docs_format'],
  sync_source: ['job_id'],
  add_package: ['name', 'ecosystem', 'version'],
  audit_events: ['from', 'to', 'action', 'actor_id', 'target_id', 'after', 'max_tokens'],
  get_receipt: ['receipt_id', 'skip', 'max_tokens'],
  replay: ['receipt_id', 'max_tokens'],
};
const LIKELY = [
  ...['No\u202etes ```', 'notes', 'Secrets', 'acme/shop', 'a', '**', '(', '[a-z]+', '../..', ''],
  ...['npm', 'repo', 'react', 'https://example.com/a.git', 'file:///etc/passwd', 'desc', 'live'],
  ...['00000000-0000-4000-8000-000000000000', '2026-01-01T00:00:00Z', '\u0000', '\ud800', '\u202e'],
  ...[0, 1, 200, 201, 500, 9_000, 9_001, -1, 1e15, 0.5, true, null],
];

function anyCall(): fc.Arbitrary<readonly [string, unknown]> {
  const value = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<unknown>(...LIKELY) },
    { weight: 1, arbitrary: fc.array(fc.constantFrom<unknown>(...LIKELY), { maxLength: 60 }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3_000 }) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  );
  return fc.constantFrom(...Object.keys(ARGUMENTS)).chain((tool) => {
    const known = fc.constantFrom(...(ARGUMENTS[tool] ?? []));
    const name = fc.oneof(
      { weight: 20, arbitrary: known },
      { weight: 1, arbitrary: fc.string({ maxLength: 80 }) },
    );
    return fc.tuple(fc.constant(tool), fc.dictionary(name, value, { maxKeys: 6 }));
  });
}
