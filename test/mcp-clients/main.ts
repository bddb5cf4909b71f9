import { join } from 'node:path';

import { TestRepository } from '#test/support/git-repository';
import { PROJECT_ROOT } from '#test/support/project-root';
import { installedPackages } from '#test/support/tool-packages';
import { TwoTenantService } from '#test/support/two-tenants';

import { useEarlierSdk } from './earlier-sdk.js';
import type { Endpoint, Seen } from './endpoint.types.js';
import { useInspector } from './inspector.js';

const SDK = '@modelcontextprotocol/sdk';
const INSPECTOR = '@modelcontextprotocol/inspector';
const VERSIONS = { [SDK]: '1.32.2', [INSPECTOR]: '2.12.0' };
const QUERY = 'total_price of a cart';
const CITED = 'Shop src/cart.py:1-2 @';

/**
 * Lists the tools and searches with clients that others install, over HTTP and stdio. They call a
 * whole service: on embedded engines, or on servers by `npm run mcp:clients:stack`. Prints a line
 * for each, and fails if one does not receive the tools and the citation.
 */
const modules = await installedPackages('mcp-clients', VERSIONS);
const service = await TwoTenantService.start();
try {
  const content = 'def total_price(cart):\n    return sum(cart.prices)\n';
  const folder = join(service.scratch, 'shop');
  const { url } = TestRepository.create(folder, { 'src/cart.py': content });
  const source = await service.first.createRepo('Shop', url);
  await service.first.syncToEnd(source.id);
  for (const endpoint of endpoints()) {
    await report(SDK, endpoint, useEarlierSdk(join(modules, SDK), endpoint, QUERY));
    await report(INSPECTOR, endpoint, useInspector(join(modules, INSPECTOR), endpoint, QUERY));
  }
} finally {
  await service.dispose();
}

function endpoints(): readonly Endpoint[] {
  const { url, key } = service;
  const env = { FOOTNOTE_URL: url, FOOTNOTE_API_KEY: key };
  const args = [join(PROJECT_ROOT, 'dist/apps/mcp/main.js')];
  return [
    { kind: 'http', url: `${url}/mcp`, key },
    { kind: 'stdio', command: process.execPath, args, env },
  ];
}

async function report(name: keyof typeof VERSIONS, { kind }: Endpoint, seen: Promise<Seen>) {
  const client = `${name} ${VERSIONS[name]} ${kind}`;
  try {
    const { tools, text } = await seen;
    if (!text.includes(CITED)) throw new Error(`its search has no citation: ${text.slice(0, 200)}`);
    process.stdout.write(`${client}: ${tools.length} tools, cited\n`);
  } catch (error) {
    process.stdout.write(`${client}: failed: ${String(error)}\n`);
    process.exitCode = 1;
  }
}
