import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ApiHarness } from '#test/support/api/api-harness';
import { installedPackages } from '#test/support/tool-packages';

import { fixtureServers } from './fixture-servers.js';
import { REAL_SCENARIOS, REVISIONS } from './requirements.js';

const SUITE = '@modelcontextprotocol/conformance';
const VERSION = '0.2.0-alpha.12';
const SUITE_LIMIT_MS = 300_000;

/**
 * Runs the official conformance suite against `/mcp`: all scenarios that each revision requires on
 * fixture servers, and those without fixtures on the tools of Footnote.
 */
const modules = await installedPackages('mcp-conformance', { [SUITE]: VERSION });
const suite = join(modules, SUITE, 'dist', 'index.js');
const scratch = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
let failed = false;
try {
  await withService(true, async (url) => {
    for (const { name, cannot } of REVISIONS) {
      const baseline = join(scratch, `${name}.yml`);
      writeFileSync(baseline, JSON.stringify({ server: cannot }));
      await run(url, ['--requirements', name, '--expected-failures', baseline]);
    }
  });
  await withService(false, async (url) => {
    for (const scenario of REAL_SCENARIOS)
      await run(url, ['--scenario', scenario, '--spec-version', '2026-07-28']);
  });
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

/** Starts the API with fixture servers, or with those of Footnote. */
async function withService(fixtures: boolean, work: (url: string) => Promise<void>) {
  const api = await ApiHarness.start(fixtures ? { mcpServers: fixtureServers() } : {});
  try {
    // The suite sends no credentials; the guard sees those of a tenant.
    const server: Server = api.app.getHttpServer();
    server.prependListener('request', ({ headers }) => {
      headers.authorization ??= `Bearer ${api.keyA}`;
    });
    await api.app.listen(0, '127.0.0.1');
    const { port } = server.address() as AddressInfo;
    await work(`http://127.0.0.1:${port}/mcp`);
  } finally {
    await api.stop();
  }
}

/** Runs the suite and passes its report on. */
async function run(url: string, words: readonly string[]): Promise<void> {
  process.stdout.write(`\n# ${words.join(' ')}\n`);
  const child = spawn(process.execPath, [suite, 'server', '--url', url, ...words], {
    cwd: scratch,
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: SUITE_LIMIT_MS,
  });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (code !== 0) failed = true;
}
