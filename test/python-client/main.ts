import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { ApiHarness } from '#test/support/api/api-harness';
import { publish } from '#test/support/api/publish';
import { PROJECT_ROOT } from '#test/support/project-root';

const GENERATOR = 'openapi-python-client';
const VERSION = '0.29.0';
const STEP_LIMIT_MS = 300_000;
const EXPECTED = ["sources: ['Shop']", 'citation: src/cart.py:1-2'];

/**
 * Generates a Python client from docs/openapi.json and calls a running service with it. Prints what
 * the calls returned, and fails if that is not the source and the citation. Needs `python3`.
 */
const folder = join(PROJECT_ROOT, '.cache', 'python-client');
const run = promisify(execFile);
const limits = { timeout: STEP_LIMIT_MS, cwd: folder, maxBuffer: 16 * 1024 * 1024 };
mkdirSync(folder, { recursive: true });
const python = join(folder, 'venv', 'bin', 'python');
if (!existsSync(python)) await run('python3', ['-m', 'venv', 'venv'], limits);
await run(python, ['-m', 'pip', 'install', '--quiet', `${GENERATOR}==${VERSION}`], limits);

// Formatting needs a further tool and changes nothing in the client.
writeFileSync(join(folder, 'config.yml'), 'post_hooks: []\n');
const document = join(PROJECT_ROOT, 'docs/openapi.json');
const words = ['generate', '--path', document, '--output-path', 'generated', '--overwrite'];
const generator = join(folder, 'venv', 'bin', GENERATOR);
const generated = await run(
  generator,
  [...words, '--meta', 'none', '--config', 'config.yml', '--fail-on-warning'],
  limits,
);
process.stdout.write(`${generated.stdout}${generated.stderr}`);
const files = readdirSync(join(folder, 'generated'), { recursive: true }).map(String);
process.stdout.write(`${files.filter((file) => file.endsWith('.py')).length} files\n`);

const api = await ApiHarness.start();
try {
  await api.app.listen(0, '127.0.0.1');
  const content = 'def total_price(cart):\n    return sum(cart.prices)';
  await publish(api, [{ path: 'src/cart.py', content }], { tenant: api.tenantA, name: 'Shop' });
  const server: Server = api.app.getHttpServer();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const program = join(PROJECT_ROOT, 'test/python-client/use.py');
  const { stdout } = await run(python, [program, url, api.keyA], {
    ...limits,
    env: { ...process.env, PYTHONPATH: folder },
  });
  process.stdout.write(stdout);
  if (stdout.trim() !== EXPECTED.join('\n')) throw new Error('The client received other data');
} finally {
  await api.stop();
}
