import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { countO200k } from '#ingest/chunk/tokens';
import { TwoTenantService } from '#test/support/two-tenants';

import { installedPeers, type Peer } from './peers.js';
import { QUESTIONS } from './questions.js';

/**
 * Counts the tokens (o200k) of tool definitions and of the results of ten questions, for Footnote
 * and servers of others, and prints two tables: `npm run mcp:tokens -- CHECKOUT_OF_FLASK`.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: npm run mcp:tokens -- CHECKOUT_OF_FLASK\n');
  process.exit(2);
}
const repository = resolve(folder);
const definitions: string[][] = [];
const results: string[][] = [];
const peers = await installedPeers(repository);

const service = await TwoTenantService.start();
const client = new Client({ name: 'tokens', version: '1.0.0' });
try {
  const source = await service.first.createRepo('flask', pathToFileURL(repository).href);
  await service.first.syncToEnd(source.id);
  const headers = { authorization: `Bearer ${service.key}` };
  const url = new URL(`${service.url}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  definitions.push(await definitionsOf('Footnote', client));
  for (const [what, tool, input] of [
    ['search, the question', 'search', ({ question }: Asked) => ({ query: question })],
    ['search_code, the text', 'search_code', ({ text }: Asked) => ({ pattern: text })],
  ] as const) {
    const sizes: number[] = [];
    for (const each of QUESTIONS) sizes.push(await resultOf(client, tool, input(each)));
    results.push(summaryOf(`Footnote: ${what}`, sizes));
  }
} finally {
  await client.close();
  await service.dispose();
}
for (const peer of peers) await measure(peer);
process.stdout.write(table(['server', 'tools', 'definitions', 'instructions'], definitions));
process.stdout.write('\n');
process.stdout.write(table(['calls', 'all ten', 'median', 'largest', 'smallest'], results));

type Asked = (typeof QUESTIONS)[number];

async function measure({ name, command, args, textSearch }: Peer): Promise<void> {
  const peer = new Client({ name: 'tokens', version: '1.0.0' });
  await peer.connect(new StdioClientTransport({ command, args: [...args], stderr: 'ignore' }));
  try {
    definitions.push(await definitionsOf(name, peer));
    if (!textSearch) return;
    const { tool, prepare } = textSearch;
    for (const [step, input] of prepare) await resultOf(peer, step, input);
    const sizes: number[] = [];
    for (const { text } of QUESTIONS) sizes.push(await resultOf(peer, tool, { pattern: text }));
    results.push(summaryOf(`${name}: ${tool}, the text`, sizes));
  } finally {
    await peer.close();
  }
}

async function definitionsOf(name: string, one: Client): Promise<string[]> {
  const { tools } = await one.listTools();
  const tokens = countO200k(JSON.stringify(tools));
  return [name, tools.length, tokens, countO200k(one.getInstructions() ?? '')].map(String);
}

/** Returns the tokens of a result's text. @throws Error for a result that is an error. */
async function resultOf(one: Client, name: string, input: object): Promise<number> {
  const { content, isError } = await one.callTool({ name, arguments: { ...input } });
  const parts = content as readonly { readonly text?: string }[];
  const text = parts.map((part) => part.text ?? '').join('\n');
  if (isError) throw new Error(`${name} ${JSON.stringify(input)}: ${text}`);
  return countO200k(text);
}

function summaryOf(calls: string, sizes: readonly number[]): string[] {
  const sorted = [...sizes].sort((one, other) => one - other);
  const all = sorted.reduce((sum, size) => sum + size, 0);
  const middle = Math.round(((sorted[4] ?? 0) + (sorted[5] ?? 0)) / 2);
  return [calls, all, middle, sorted.at(-1) ?? 0, sorted[0] ?? 0].map(String);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [head, head.map(() => '---'), ...rows].map(line).join('');
}
