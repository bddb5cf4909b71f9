import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { startCommand } from '#test/support/command-line';
import { freePort } from '#test/support/free-port';
import { FakeNpm, serverTarball } from '#test/support/packages/fake-npm';
import { tempDir } from '#test/support/temp-dir';

/** A server that answers what `up` requests, and writes its surroundings into its data folder. */
const SERVER = `
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
const { PORT, DATA_DIR, BOOTSTRAP_API_KEY } = process.env;
mkdirSync(DATA_DIR, { recursive: true });
writeFileSync(DATA_DIR + '/started', JSON.stringify({ folder: process.cwd(), key: BOOTSTRAP_API_KEY }));
const server = createServer(({ url, headers }, response) => {
  response.setHeader('content-type', 'application/json');
  if (url === '/health/ready') return response.end('{"status":"ready","checks":[]}');
  const isKnown = headers.authorization === 'Bearer ' + BOOTSTRAP_API_KEY;
  response.statusCode = isKnown ? 200 : 401;
  response.end(isKnown ? '{"sources":[],"total":0}' : '{}');
});
server.listen(Number(PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
`;

describe('up with a server package', () => {
  let scratch: ReturnType<typeof tempDir>;
  let env: Record<string, string>;
  let npm: FakeNpm;

  beforeEach(() => {
    scratch = tempDir('up-');
    npm = FakeNpm.create(join(scratch.path, 'npm'));
    env = {
      PATH: npm.path,
      XDG_CONFIG_HOME: join(scratch.path, 'config'),
      XDG_DATA_HOME: join(scratch.path, 'data'),
    };
  });
  afterEach(() => scratch.remove());

  const tarball = (): string => {
    const path = join(scratch.path, 'server.tgz');
    writeFileSync(path, serverTarball(SERVER));
    return path;
  };
  const contexts = () => join(scratch.path, 'config/footnote/contexts.json');
  /** Runs `up` until it has stored the context. */
  const runUp = async (words: readonly string[], more: Record<string, string> = {}) => {
    const port = await freePort();
    const up = startCommand(['--json', 'up', '--port', String(port), ...words], {
      env: { ...env, ...more },
    });
    const ended = up.result.then(() => true);
    const wait = () => new Promise<false>((resolve) => setTimeout(resolve, 20, false));
    while (!existsSync(contexts()) && !(await Promise.race([ended, wait()])));
    up.interrupt();
    return { port, ...(await up.result) };
  };

  it('fetches a tarball, starts it in the data folder, and stores the context', async () => {
    const { port, stdout, stderr } = await runUp(['--server', tarball()]);
    const home = join(scratch.path, 'data/footnote');
    expect(JSON.parse(stdout)).toEqual({ url: `http://localhost:${port}`, context: 'local' });
    expect(stderr).toMatch(/^Fetching the server .*server\.tgz \(first use\) …\nFootnote is ready/);
    const started = JSON.parse(readFileSync(join(home, 'data/started'), 'utf8')) as { key: string };
    expect(started).toEqual({ folder: home, key: expect.stringMatching(/^fnt_[0-9a-f]{40}$/) });
    expect(readFileSync(contexts(), 'utf8')).not.toContain(started.key);
    expect(npm.calls()).toEqual([expect.stringMatching(/^ci /)]);
  });

  it('takes the tarball and the data folder from the environment', async () => {
    const data = join(scratch.path, 'elsewhere');
    await runUp([], { FOOTNOTE_SERVER: tarball(), DATA_DIR: data });
    expect(existsSync(join(data, 'started'))).toBe(true);
  });

  it.each([
    ['ENOTFOUND', 7, 'footnote: The registry is unreachable (ENOTFOUND); retry, or name'],
    ['E404', 4, 'footnote: The registry has no such server package; name'],
  ])('ends when npm reports %s', async (code, exit, text) => {
    npm.fail(code);
    const up = startCommand(['up', '--server', '@footnote-search/server@0.1.0'], { env });
    const { code: status, stdout, stderr } = await up.result;
    expect([status, stdout, stderr]).toEqual([exit, '', expect.stringContaining(text)]);
    expect(existsSync(contexts())).toBe(false);
  });

  it('rejects a checkout together with a server, and a folder that is no checkout', async () => {
    const both = startCommand(['up', '--server', 'x@1', '--checkout', '.'], { env });
    expect(await both.result).toMatchObject({
      code: 2,
      stderr: 'footnote: --checkout and --server exclude each other\n',
    });
    const none = startCommand(['up', '--checkout', scratch.path], { env });
    expect(await none.result).toMatchObject({
      code: 2,
      stderr: `footnote: --checkout must be a checkout of Footnote (got "${scratch.path}")\n`,
    });
  });
});
