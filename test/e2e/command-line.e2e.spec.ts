import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { toolText } from '#test/support/api/mcp-client';
import { type CommandResult, startCommand } from '#test/support/command-line';
import { freePort } from '#test/support/free-port';
import { TestRepository } from '#test/support/git-repository';
import { scipIndex } from '#test/support/scip-index';
import { TwoTenantService } from '#test/support/two-tenants';

describe('the command line', () => {
  let service: TwoTenantService;
  let env: Record<string, string>;
  let repository: string;

  beforeAll(async () => {
    service = await TwoTenantService.start();
    env = { XDG_CONFIG_HOME: join(service.scratch, 'config') };
    repository = TestRepository.create(join(service.scratch, 'shop'), {
      'src/cart.py': 'def total_price(cart):\n    return sum(cart.prices)\n',
    }).url;
    const { code } = await run(['login', service.url], { input: `${service.key}\n` });
    expect(code).toBe(0);
  }, 180_000);
  afterAll(() => service.dispose());

  async function run(
    words: readonly string[],
    { input, ...more }: { readonly input?: string; readonly key?: string } = {},
  ): Promise<CommandResult> {
    const { key } = more;
    const own = key === undefined ? env : { FOOTNOTE_URL: service.url, FOOTNOTE_API_KEY: key };
    const options = { env: { ...env, ...own }, ...(input !== undefined && { input }) };
    return startCommand(words, options).result;
  }
  /** Returns the lines of JSON of a command that succeeds. */
  async function rows<Row = Record<string, unknown>>(...words: string[]): Promise<Row[]> {
    const { code, stdout, stderr } = await run(['--json', ...words]);
    expect([words, code, stderr]).toEqual([words, 0, '']);
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line) as Row);
  }
  const one = async <Row = Record<string, string>>(...words: string[]): Promise<Row> =>
    (await rows<Row>(...words))[0] as Row;
  const code = async (...words: string[]) => (await run(words)).code;

  it('keeps contexts, and keys in a file of its owner', async () => {
    expect(await rows('context', 'list')).toEqual([
      { name: 'default', url: service.url, current: true },
    ]);
    const folder = join(service.scratch, 'config/footnote');
    expect(statSync(join(folder, 'credentials.json')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'contexts.json'), 'utf8')).not.toContain(service.key);
    await run(['login', service.url, '--name', 'second'], { input: service.secondKey });
    expect(await code('context', 'use', 'default')).toBe(0);
    expect(await rows('--context', 'second', 'source', 'list')).toEqual([]);
    expect(await code('context', 'remove', 'second')).toBe(0);
    expect(await code('context', 'use', 'second')).toBe(2);
    const wrong = await run(['login', service.url, '--name', 'bad'], { input: 'fnt_wrong' });
    expect([wrong.code, (await rows('context', 'list')).length]).toEqual([3, 1]);
  });

  it('adds sources, follows their syncs, and searches them', async () => {
    const added = await run(['source', 'add', repository, '--name', 'Shop', '--wait']);
    expect([added.code, added.stdout]).toEqual([0, expect.stringMatching(/ completed\n$/)]);
    expect(await rows('source', 'list')).toMatchObject([{ name: 'Shop', status: 'synced' }]);
    expect(await one('source', 'show', 'shop')).toMatchObject({ name: 'Shop' });
    expect((await rows('source', 'history', 'Shop')).length).toBeGreaterThan(1);
    const { job_id = '' } = await one('source', 'sync', 'Shop');
    expect(await code('job', 'watch', job_id)).toBe(0);
    expect(await one('job', 'show', job_id)).toMatchObject({ status: 'completed' });
    expect(await code('job', 'cancel', job_id)).toBe(5);
    expect((await rows('job', 'list', '--source', 'Shop')).length).toBe(2);

    const file = join(service.scratch, 'index.scip');
    const occurrence = { range: [0, 4, 15], symbol: 'scip-test . . . total_price().', roles: 1 };
    writeFileSync(file, scipIndex([{ path: 'src/cart.py', occurrences: [occurrence] }]));
    const { version_ref = '' } = await one('source', 'show', 'Shop');
    expect(
      await one('source', 'scip', 'Shop', file, '--version-ref', version_ref, '--name', 'python'),
    ).toMatchObject({ name: 'python', documents: 1, current_documents: 1 });
    expect((await run(['--agent', 'refs', 'total_price'])).stdout).toContain('1 precise');
    expect((await run(['--agent', 'def', 'total_price'])).stdout).toContain(' precise');
    expect(await code('source', 'scip', 'Shop', file, '--version-ref', 'other')).toBe(2);
    const named = ['--version-ref', version_ref, '--name', 'again'];
    expect(await code('source', 'scip', 'upload', 'Shop', file, ...named)).toBe(0);
    expect(await rows('source', 'scip', 'list', 'Shop')).toMatchObject([
      { name: 'again' },
      { name: 'python', documents: 1, current_documents: 1 },
    ]);
    expect(await code('source', 'scip', 'remove', 'Shop', '--name', 'again')).toBe(0);
    expect((await run(['source', 'scip', 'list', 'Shop'])).stdout).toMatch(
      new RegExp(`^python +${version_ref} +1 +1 +\\d+ +20[^ ]+Z\\n$`),
    );
    expect(await code('source', 'scip', 'remove', 'Shop')).toBe(0);
    expect(await run(['source', 'scip', 'list', 'Shop'])).toMatchObject({ code: 0, stdout: '' });
    expect((await run(['--agent', 'def', 'total_price'])).stdout).not.toContain(' precise');

    const found = await run(['search', 'total_price', 'of', 'a', 'cart']);
    expect([found.code, found.stdout]).toEqual([0, expect.stringMatching(/^Shop src\/cart\.py:1/)]);
    expect(found.stderr).toMatch(/Receipt [0-9a-f-]{36}/);
    const grep = await run(['grep', '-i', 'TOTAL_price']);
    expect(grep).toMatchObject({ code: 0, stdout: 'Shop src/cart.py:1:def total_price(cart):\n' });
    expect(await code('grep', 'no_such_word')).toBe(1);
    const def = await run(['def', 'total_price']);
    expect(def).toMatchObject({ code: 0, stdout: 'Shop src/cart.py:1: function total_price\n' });
    expect(await rows('def', '--partial', 'tot')).toMatchObject([{ count: 1, complete: true }]);
    expect(await code('def', 'no_such_name')).toBe(1);
    expect((await run(['refs', 'total_price'])).stdout).toMatch(
      /^Shop src\/cart\.py:1:5: definition(?:, resolved)?: def total_price\(cart\):\n$/,
    );
    expect(await rows('refs', 'total_price')).toMatchObject([{ count: 1, complete: true }]);
    expect(await code('refs', 'no_such_name')).toBe(1);
    expect(await run(['cat', 'Shop', 'src/cart.py'])).toMatchObject({
      code: 0,
      stdout: 'def total_price(cart):\n    return sum(cart.prices)\n',
    });
    const lines = await run(['cat', 'Shop', 'src/cart.py', '--lines', '2:2']);
    expect(lines.stdout).toBe('    return sum(cart.prices)\n');
    expect(await rows('tree', 'Shop')).toMatchObject([{ path: 'src', kind: 'folder' }]);
    const asked = await run(['ask', 'How is total_price of a cart computed?']);
    expect([asked.code, asked.stdout]).toEqual([0, expect.stringContaining('Shop src/cart.py')]);
  }, 120_000);

  it('shows each tenant its own', async () => {
    const key = service.secondKey;
    expect(await run(['source', 'list'], { key })).toMatchObject({ code: 0, stdout: '' });
    expect((await run(['search', 'total_price'], { key })).code).toBe(1);
    expect((await run(['cat', 'Shop', 'src/cart.py'], { key })).code).toBe(4);
    expect((await run(['source', 'list'], { key: 'fnt_wrong' })).code).toBe(3);
  });

  it.each([
    [['search', 'total_price'], 'Shop src/cart.py:1-'],
    [['grep', 'total_price'], 'total_price(cart)'],
    [['cat', 'Shop', 'src/cart.py'], 'return sum'],
    [['def', 'total_price'], 'src/cart.py:1'],
    [['refs', 'total_price'], 'src/cart.py:1:5'],
    [['tree', 'Shop'], 'src'],
    [['source', 'list'], 'Shop'],
  ])('writes the text of a tool for %j', async (words, text) => {
    const result = await run(['--agent', ...words]);
    expect([result.code, result.stdout]).toEqual([0, expect.stringContaining(text)]);
  });

  it('manages the policy, keys and quotas', async () => {
    expect(await one('policy', 'set', '--min-evidence', '2')).toMatchObject({
      min_evidence_count: 2,
    });
    expect(await code('policy', 'set')).toBe(2);
    await one('policy', 'reset');
    expect((await rows('policy', 'history')).length).toBeGreaterThan(1);
    await one('policy', 'rollback', '0');
    await one('policy', 'reset');
    await one('policy', 'show');
    const { id = '', key = '' } = await one('key', 'create', 'ci', '--scope', 'read');
    expect((await run(['policy', 'reset'], { key })).code).toBe(3);
    expect((await rows('key', 'list')).length).toBe(2);
    expect(await code('key', 'revoke', id)).toBe(0);
    expect((await run(['source', 'list'], { key })).code).toBe(3);
    expect(await rows('quota')).toEqual(
      expect.arrayContaining([expect.objectContaining({ metric: 'search' })]),
    );
  });

  it('shows receipts and the audit trail, and verifies an export', async () => {
    const { stderr } = await run(['search', 'total_price']);
    const receipt = /Receipt (\S+)/.exec(stderr)?.[1] ?? '';
    expect(await one('receipt', 'show', receipt)).toMatchObject({ id: receipt });
    expect(await code('receipt', 'replay', receipt)).toBe(0);
    const [first] = await rows<{ id: string }>('audit', 'list', '--action', 'source.registered');
    expect(await one('audit', 'show', first?.id ?? '')).toMatchObject({
      action: 'source.registered',
    });
    expect((await run(['audit', 'checkpoint'])).stdout.split('\n').length).toBeGreaterThan(3);
    const { stdout: trail } = await run(['audit', 'export']);
    const file = join(service.scratch, 'trail.ndjson');
    writeFileSync(file, trail);
    expect(await one('audit', 'verify', file)).toMatchObject({ valid: true });
    writeFileSync(file, trail.replace('source.registered', 'source.restored'));
    expect(await code('audit', 'verify', file)).toBe(1);
    expect(await code('audit', 'verify', `${file}.none`)).toBe(2);
  });

  it('rejects packages that no registry can have, and lists links', async () => {
    expect(await code('package', 'search', 'npm', '../x', 'words')).toBe(2);
    expect(await code('package', 'add', 'npm', '../x')).toBe(2);
    expect(await code('package', 'grep', 'npm', '../x', 'words')).toBe(2);
    expect(await code('package', 'tree', 'npm', '../x')).toBe(2);
    expect(await code('package', 'cat', 'npm', '../x', 'a.ts')).toBe(2);
    expect(await rows('package', 'list')).toEqual([]);
    const unknown = '00000000-0000-4000-8000-000000000000';
    expect(await code('package', 'remove', unknown)).toBe(4);
  });

  it('cancels research when it is interrupted', async () => {
    const research = startCommand(['research', 'How are carts priced?'], { env });
    const jobs = () => service.first.expect<{ jobs: { status: string }[] }>('GET', '/rover/jobs');
    while ((await jobs()).jobs.length === 0) await delay(20);
    await delay(200);
    research.interrupt();
    expect((await research.result).code).toBe(130);
    expect((await jobs()).jobs[0]?.status).not.toBe('running');
  });

  it('serves the tools over stdio, and names itself to clients without a key', async () => {
    const client = new Client({ name: 'spec', version: '1.0.0' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['dist/apps/cli/main.js', 'mcp'],
        env,
      }),
    );
    expect((await toolText(client, 'list_sources', {})).text).toContain('Shop');
    await client.close();
    const folder = service.scratch;
    writeFileSync(join(folder, '.mcp.json'), '{"mcpServers":{"other":{"command":"x"}}}');
    expect(await code('mcp', 'install', 'claude-code', '--folder', folder)).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, '.mcp.json'), 'utf8'))).toEqual({
      mcpServers: { other: { command: 'x' }, footnote: { command: 'footnote', args: ['mcp'] } },
    });
  });

  it('completes commands and names of sources', async () => {
    expect((await run(['__complete', 'source', 'h'])).stdout).toBe('history\n');
    expect((await run(['__complete', 'cat', 'S'])).stdout).toBe('Shop\n');
    for (const shell of ['bash', 'zsh', 'fish']) {
      expect((await run(['completion', shell])).stdout).toContain('footnote __complete');
    }
  });

  it('starts a service, and stores its context', async () => {
    const port = await freePort();
    const home = { XDG_CONFIG_HOME: join(service.scratch, 'home') };
    const data = join(service.scratch, 'up-data');
    const up = startCommand(['up', '--port', String(port), '--data-dir', data], { env: home });
    const listed = async () =>
      startCommand(['--json', 'context', 'list'], { env: home }).result.then(
        ({ stdout }) => stdout,
      );
    while ((await listed()) === '') await delay(100);
    const sources = await startCommand(['--json', 'source', 'list'], { env: home }).result;
    expect([sources.code, sources.stderr]).toEqual([0, '']);
    up.interrupt();
    expect((await up.result).stderr).toContain(`Footnote is ready at http://localhost:${port}`);
  }, 180_000);

  it('ends with 7 where no service answers, and shows no key', async () => {
    const away = { FOOTNOTE_URL: 'http://127.0.0.1:9', FOOTNOTE_API_KEY: 'fnt_secret' };
    const { code: status, stderr } = await startCommand(['quota'], { env: away }).result;
    expect([status, stderr]).toEqual([
      7,
      'footnote: The service at http://127.0.0.1:9 does not answer\n',
    ]);
  });
});
