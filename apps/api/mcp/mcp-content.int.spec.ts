import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { countO200k } from '#ingest/chunk/tokens';
import { ApiHarness } from '#test/support/api/api-harness';
import { mcpClient, toolText } from '#test/support/api/mcp-client';
import { publish } from '#test/support/api/publish';

const CART = 'def total_price(cart):\n    return sum(cart.prices)\u202e\n';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Calls of every tool that answer without other services. */
const CALLS: readonly (readonly [string, object])[] = [
  ['search', { query: 'total_price of a cart' }],
  ['search', { query: 'zzzqqq', paths: ['none/**'] }],
  ['search_code', { pattern: 'total_price' }],
  ['read_file', { source: 'My Shop', path: 'src/a b.py' }],
  ['list_files', { source: 'My Shop' }],
  ['list_sources', {}],
  ['add_source', { name: 'New', source_type: 'repo', url: 'https://example.com/a/b.git' }],
  ['audit_events', {}],
];

describe('resources, prompts and structured results of the MCP endpoint', () => {
  let api: ApiHarness;
  let client: Client;
  let programs: Client;
  let theirs: Client;
  let uri: string;

  beforeAll(async () => {
    api = await ApiHarness.start();
    await api.app.listen(0, '127.0.0.1');
    for (const [tenant, name] of [
      [api.tenantA, 'My Shop'],
      [api.tenantB, 'Other Shop'],
    ] as const)
      await publish(api, [{ path: 'src/a b.py', content: CART }], { tenant, name });
    client = await mcpClient(api);
    theirs = await mcpClient(api, { key: api.keyB });
    programs = await mcpClient(api, { query: '?output=structured&tools=manage,audit' });
    const { structured } = await toolText(programs, 'list_files', { source: 'My Shop' });
    const { version_ref } = structured as { version_ref: string };
    uri = `footnote://My%20Shop/${encodeURIComponent(version_ref)}/src/a%20b.py`;
  });
  afterAll(async () => {
    await Promise.all([client?.close(), programs?.close(), theirs?.close()]);
    await api.stop();
  });

  it('reads a file at a version, with invisible characters as escapes', async () => {
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ uri, mimeType: 'text/plain' }]);
    expect((contents[0] as { text: string }).text.trimEnd()).toBe(
      CART.replace('\u202e', '\\u{202e}').trimEnd(),
    );
  });

  it.each([
    ['of another version', () => uri.replace(/Shop\/[^/]+/, 'Shop/0000000')],
    ['of another path', () => `${uri}.none`],
    ['of another source', () => uri.replace('My%20Shop', 'None')],
    ['with broken escapes', () => uri.replace('a%20b', 'a%2')],
    ['of no form', () => 'footnote://x'],
    ['of another scheme', () => 'file:///etc/passwd'],
  ])('does not find a resource %s', async (_name, address) => {
    await expect(client.readResource({ uri: address() })).rejects.toMatchObject({ code: -32_602 });
  });

  it('does not find a resource of another tenant', async () => {
    await expect(theirs.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
  });

  it('reads the receipt of an answer, in its tenant alone', async () => {
    const { text } = await toolText(client, 'search', { query: 'total_price of a cart' });
    const id = /Receipt ([0-9a-f-]{36})\./.exec(text)?.[1] ?? '';
    const address = { uri: `footnote://receipts/${id}` };
    const { contents } = await client.readResource(address);
    expect((contents[0] as { text: string }).text).toContain(id);
    await expect(theirs.readResource(address)).rejects.toMatchObject({ code: -32_602 });
  });

  it('links and reads files of a commit by its first 12 digits', async () => {
    const versionRef = 'a1b2c3d4e5'.repeat(4);
    await publish(api, [{ path: 'lake.md', content: 'Depth of the lake' }], {
      tenant: api.tenantA,
      name: 'Lakes',
      versionRef,
    });
    const found = await programs.callTool({ name: 'search', arguments: { query: 'lake depth' } });
    const [link] = found.content as { uri: string }[];
    expect(link?.uri).toBe(`footnote://Lakes/${versionRef.slice(0, 12)}/lake.md`);
    const { contents } = await programs.readResource({ uri: link?.uri ?? '' });
    expect(contents).toMatchObject([{ text: expect.stringContaining('Depth of the lake') }]);
  });

  it.each([200, 600, 2_000])(
    'cuts structured results to %i tokens, and counts the rest',
    async (max_tokens) => {
      const lines = Array.from(
        { length: 120 },
        (_, at) => `const value_${at} = barleyYield(${at});`,
      );
      await publish(api, [{ path: 'values.ts', content: lines.join('\n') }], {
        tenant: api.tenantA,
        name: `Values ${max_tokens}`,
      });
      const { structured, isError } = await toolText(programs, 'search_code', {
        pattern: 'barleyYield',
        sources: [`Values ${max_tokens}`],
        max_tokens,
      });
      const cut = structured as { files: { lines: unknown[] }[]; not_shown: number; more: string };
      const shown = cut.files.reduce((sum, file) => sum + file.lines.length, 0);
      expect([isError, countO200k(JSON.stringify(structured)) <= max_tokens]).toEqual([
        false,
        true,
      ]);
      expect(cut.not_shown).toBe(100 - shown);
      expect(cut.more).toContain(shown === 0 ? 'larger max_tokens' : `limit ${shown}`);
      expect(structured).not.toHaveProperty('next_cursor');
    },
  );

  it('cuts a structured receipt, and continues it', async () => {
    const documents = Array.from({ length: 12 }, (_, at) => ({
      path: `guide-${at}.md`,
      content: `Guide ${at} to the harvest of barley`,
    }));
    await publish(api, documents, { tenant: api.tenantA, name: 'Guides' });
    const found = await toolText(client, 'search', { query: 'harvest of barley guide' });
    const receipt_id = /Receipt ([0-9a-f-]{36})\./.exec(found.text)?.[1];
    const receipt = async (input: object) => {
      const { structured } = await toolText(programs, 'get_receipt', { receipt_id, ...input });
      return structured as { results: { chunk_id: string }[]; not_shown?: number; more?: string };
    };
    const whole = await receipt({ max_tokens: 9_000 });
    const first = await receipt({ max_tokens: 900 });
    expect(whole.not_shown).toBeUndefined();
    expect(countO200k(JSON.stringify(first))).toBeLessThanOrEqual(900);
    expect(first.results.length).toBeGreaterThan(0);
    expect(first.results.length).toBeLessThan(whole.results.length);
    expect(first.more).toBe(`get_receipt with skip ${first.results.length}`);
    const rest = await receipt({ skip: first.results.length, max_tokens: 9_000 });
    expect([...first.results, ...rest.results]).toEqual(whole.results);
  });

  it('completes the names of the sources of the tenant', async () => {
    const complete = async (one: Client, value: string) =>
      (
        await one.complete({
          ref: { type: 'ref/prompt', name: 'explore_source' },
          argument: { name: 'source', value },
        })
      ).completion.values;
    expect(await complete(client, 'my')).toEqual(['My Shop']);
    expect(await complete(client, 'other')).toEqual([]);
    expect(await complete(theirs, '')).toEqual(['Other Shop']);
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: 'footnote://{source}/{version}/{+path}' },
      argument: { name: 'source', value: 'My%20' },
    });
    expect(completion.values).toEqual(['My%20Shop']);
  });

  it('lists prompts and templates in a fixed order, and lets clients keep lists', async () => {
    const { prompts, ...hints } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'ask_sources',
      'explore_source',
      'use_package',
    ]);
    expect(hints).toMatchObject({ ttlMs: 60_000, cacheScope: 'private' });
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ name }) => name)).toEqual(['file', 'receipt']);
  });

  it('fills the prompts in', async () => {
    const { messages } = await client.getPrompt({
      name: 'ask_sources',
      arguments: { question: 'How is a price\u202e added?', source: 'My Shop' },
    });
    const { text } = messages[0]?.content as { text: string };
    expect(text).toContain('How is a price\\u{202e} added?');
    expect(text).toContain('Search only the source "My Shop".');
  });

  it.each(CALLS)('returns data of the schema of %s for %j', async (name, input) => {
    const { tools } = await programs.listTools();
    const schema = tools.find((tool) => tool.name === name)?.outputSchema;
    expect(schema).toMatchObject({ type: 'object' });
    const { structured, isError, text } = await toolText(programs, name, input);
    expect([isError, text]).toEqual([false, expect.not.stringContaining('total')]);
    const isValid = new Ajv2020({ strict: false }).compile({ ...schema, $schema: DIALECT });
    expect([isValid(structured), isValid.errors]).toEqual([true, null]);
  });

  it('links the files of structured search results as resources', async () => {
    const input = { query: 'total_price of a cart' };
    const { content } = await programs.callTool({ name: 'search', arguments: input });
    expect(content).toMatchObject([{ type: 'resource_link', uri, name: 'My Shop src/a b.py' }]);
    const plain = await client.callTool({ name: 'search', arguments: input });
    expect(plain.content.map(({ type }) => type)).toEqual(['text']);
  });

  it('describes the data of every tool to programs alone', async () => {
    const described = async (one: Client) =>
      (await one.listTools()).tools.filter(({ outputSchema }) => outputSchema !== undefined).length;
    expect(await described(programs)).toBe((await programs.listTools()).tools.length);
    expect(await described(client)).toBe(0);
  });
});
