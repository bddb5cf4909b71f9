import { spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { ApiHarness } from '#test/support/api/api-harness';
import { mcpClient, toolText } from '#test/support/api/mcp-client';
import { publish } from '#test/support/api/publish';

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));

/** Calls over both transports: the tools run in the service, and in a process of a client. */
const CALLS: readonly (readonly [string, object])[] = [
  ['search', { query: 'total_price of a cart' }],
  ['search', { query: 'zzzqqq', paths: ['none/**'] }],
  ['search', { question: 'x' }],
  ['search', { query: 'x', sources: ['Shopp'] }],
  ['read_file', { source: 'acme/shop', path: 'src/cart.py' }],
  ['read_file', { source: 'Shop', path: 'none.py' }],
  ['read_file', { source: 'Shop', path: 'src/cart.py', start_line: 99 }],
  ['list_files', { source: 'Shop' }],
  ['list_files', { source: 'Shop', glob: 'src/*.py', skip: 0 }],
  ['find_definitions', { name: 'total_price' }],
  ['find_definitions', { name: 'total', partial: true }],
  ['find_definitions', { source: 'Shop', path: 'src/cart.py' }],
  ['find_references', { name: 'total_price' }],
  ['list_sources', {}],
  ['search_package', { package: '../x', ecosystem: 'npm', query: 'x' }],
  ['research', { job_id: 'unknown' }],
  ['sync_source', { job_id: 'unknown' }],
  ['add_source', { name: 'x', source_type: 'repo', url: 'no url' }],
  ['audit_events', { action: 'source.created' }],
  ['get_receipt', { receipt_id: 'unknown' }],
  ['replay', { receipt_id: 'unknown' }],
];

describe('the tools over stdio', () => {
  let api: ApiHarness;
  let stdio: Client;
  let http: Client;

  beforeAll(async () => {
    api = await ApiHarness.start();
    await api.app.listen(0, '127.0.0.1');
    await publish(
      api,
      [
        {
          path: 'src/cart.py',
          content: 'def total_price(cart):\n    return sum(cart.prices)',
          defs: ['total_price'],
          definitions: [
            {
              name: 'total_price',
              symbol: 'total_price',
              start_line: 1,
              end_line: 2,
              place: { kind: 'function', line: 1, column: 5, last_line: 2 },
            },
          ],
        },
      ],
      {
        tenant: api.tenantA,
        name: 'Shop',
        definition: { url: 'https://example.com/acme/shop.git' },
      },
    );
    const { port } = api.app.getHttpServer().address() as AddressInfo;
    stdio = new Client(
      { name: 'spec', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await stdio.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [MAIN, '--tools', 'manage', 'audit'],
        env: { FOOTNOTE_URL: `http://127.0.0.1:${port}`, FOOTNOTE_API_KEY: api.keyA },
      }),
    );
    http = await mcpClient(api, { query: '?tools=manage,audit' });
  });
  afterAll(async () => {
    await Promise.all([stdio?.close(), http?.close()]);
    await api.stop();
  });

  it('are those of the HTTP endpoint', async () => {
    const described = async (client: Client) => (await client.listTools()).tools;
    expect(await described(stdio)).toEqual(await described(http));
  });

  it.each(CALLS)('answer as the endpoint does: %s %j', async (name, input) => {
    const [one, other] = [await toolText(stdio, name, input), await toolText(http, name, input)];
    const timeless = (text: string) => text.replace(/Receipt \S+\./, 'Receipt.');
    expect({ ...one, text: timeless(one.text) }).toEqual({
      ...other,
      text: timeless(other.text),
    });
  });

  it('name an unreachable service', async () => {
    const alone = new Client({ name: 'spec', version: '1.0.0' });
    await alone.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [MAIN],
        env: { FOOTNOTE_URL: 'http://127.0.0.1:9', FOOTNOTE_API_KEY: 'fnt_x' },
      }),
    );
    const { text, isError } = await toolText(alone, 'search', { query: 'x' });
    expect([isError, text]).toEqual([
      true,
      'The service at http://127.0.0.1:9 does not answer. (code: engine_unavailable)',
    ]);
    await alone.close();
  });

  it('need a key, and write nothing else to stdout', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN], { env: {} });
    expect([status, String(stdout), String(stderr)]).toEqual([
      ...[2, ''],
      'mcp: FOOTNOTE_API_KEY must be an API key of the service\n',
    ]);
  });
});
