import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';

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
