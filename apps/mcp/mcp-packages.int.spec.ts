import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { toolText } from '#test/support/api/mcp-client';
import { uniqueWord } from '#test/support/api/publish';
import { callTool } from '#test/support/api/tool-calls';
import { PackagesService } from '#test/support/packages-service';

const MAIN = fileURLToPath(new URL('./main.js', import.meta.url));

describe('the code tools in a release of a package', () => {
  let service: PackagesService;
  let app: NestFastifyApplication;
  let stdio: Client;
  /** In version 1 of a package, in version 2, and in a package of the first tenant alone. */
  const [old, recent, secret] = [uniqueWord(), uniqueWord(), uniqueWord()];

  beforeAll(async () => {
    service = await PackagesService.start({ JOB_MAX_RETRIES: '1' });
    const [first] = service.apis;
    const [ours] = service.tenants;
    if (!first || !ours) throw new Error('There is no API or tenant');
    app = first;
    service.packages.publish('npm', 'carts', '1.0.0', {
      files: { 'src/cart.ts': `export const ${old} = 1;\n` },
      deprecated: 'use another one',
    });
    service.packages.publish('npm', 'carts', '2.0.0', {
      files: {
        'src/cart.ts': `export const cart = 1;\n\n// ${recent}\nexport const ${recent} = 2;\n`,
        'src/till/pay.ts': 'export const pay = 3;\n',
      },
    });
    service.packages.publish('npm', 'secrets', '1.0.0', {
      files: { 'plan.ts': `export const ${secret} = 1;\n` },
      ownerTenantId: ours.tenantId,
    });
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    stdio = new Client({ name: 'spec', version: '1.0.0' });
    await stdio.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [MAIN],
        env: { FOOTNOTE_URL: `http://127.0.0.1:${port}`, FOOTNOTE_API_KEY: ours.key },
      }),
    );
  });
  afterAll(async () => {
    await stdio?.close();
    await service.stop();
  });

  const call = (tool: string, input: object, tenant = 0) =>
    callTool({ app }, service.tenants[tenant]?.tenantId ?? '', tool, input);

  it('search every line of the release, with a receipt', async () => {
    const found = await call('search_code', { pattern: recent, package: 'npm:carts@2.0.0' });
    expect(found.isError).toBe(false);
    expect(found.text).toContain('2 matching lines in 1 files. Complete:');
    expect(found.text).toContain('# NPM: carts carts/src/cart.ts @2.0.0\n');
    expect(found.text).toContain(`carts/src/cart.ts:3:// ${recent}\n`);
    expect(found.text).toMatch(/\nReceipt [0-9a-f-]{36}\.$/);
    const limited = { pattern: recent, package: 'npm:carts', paths: ['**/till/**'] };
    expect((await call('search_code', limited)).text).toContain('0 matching lines in 0 files');
  });

  it('read the version that a call names, else the newest, and show notices', async () => {
    const path = 'carts/src/cart.ts';
    const latest = await call('read_file', { package: 'npm:carts', path, start_line: 2 });
    expect(latest.text).toBe(
      `NPM: carts ${path}:2-4 of 4 @2.0.0\n` +
        `\`\`\`typescript\n\n// ${recent}\nexport const ${recent} = 2;\n\`\`\``,
    );
    const range = { package: 'npm:carts@2.0.0', path, start_line: 1, end_line: 1 };
    expect((await call('read_file', range)).text).toContain('More: read_file with start_line 2.');
    const before = await call('read_file', { package: 'npm:carts@1.0.0', path });
    expect(before.text).toContain(`export const ${old} = 1;`);
    expect(before.text).toMatch(/\nDeprecated.*use another one/);
  });

  it('list folders and files', async () => {
    const listed = await call('list_files', { package: 'npm:carts@2.0.0', glob: '**/*.ts' });
    expect(listed.text.split('\n')).toEqual([
      'NPM: carts @2.0.0: 5 entries',
      '```',
      'carts/ (2 files)',
      'carts/src/ (2 files)',
      'carts/src/cart.ts',
      'carts/src/till/ (1 files)',
      'carts/src/till/pay.ts',
      '```',
    ]);
    const next = { package: 'npm:carts@2.0.0', path: 'carts/src', skip: 1 };
    expect((await call('list_files', next)).text).toContain('carts/src/till/ (1 files)');
  });

  it('answer data of a release to programs', async () => {
    const path = 'carts/src/cart.ts';
    const { tenantId = '' } = service.tenants[0] ?? {};
    const input = { package: 'npm:carts@2.0.0', path, end_line: 1 };
    const { structured } = await callTool({ app }, tenantId, 'read_file', input, true);
    expect(JSON.parse(structured)).toMatchObject([
      {
        path,
        version_ref: '2.0.0',
        content: 'export const cart = 1;',
        total_lines: 4,
        package: { ecosystem: 'npm', name: 'carts', version: '2.0.0' },
      },
      [],
    ]);
  });

  it('name what is wrong with a call', async () => {
    const text = async (tool: string, input: object) => {
      const answer = await call(tool, input);
      expect(answer.isError).toBe(true);
      return answer.text;
    };
    const both = { package: 'npm:carts', source: 'Shop', path: 'a.ts' };
    expect(await text('read_file', both)).toBe('Give either source or package.');
    expect(await text('list_files', {})).toBe('Give either source or package.');
    const scoped = { pattern: 'x', package: 'npm:carts', sources: ['Shop'] };
    expect(await text('search_code', scoped)).toBe('Give either sources or package.');
    expect(await text('list_files', { package: 'carts' })).toContain('npm:react@19.0.0');
    const symbol = { package: 'npm:carts', path: 'a.ts', symbol: 'x' };
    expect(await text('read_file', symbol)).toBe('symbol needs source, not package.');
    const missing = { package: 'npm:unknown-package', pattern: 'x' };
    expect(await text('search_code', missing)).toContain('(code: package_not_found)');
    const version = { package: 'npm:carts@9.0.0' };
    expect(await text('list_files', version)).toContain('(code: package_version_not_found)');
    const range = { package: 'npm:carts', path: 'carts/src/cart.ts', start_line: 3, end_line: 2 };
    expect(await text('read_file', range)).toContain('(code: validation_failed)');
    const path = { package: 'npm:carts', path: 'none.ts' };
    expect(await text('read_file', path)).toContain('(code: content_not_found)');
  });

  it('show a release of one tenant to nobody else', async () => {
    const calls = [
      ['search_code', { pattern: secret, package: 'npm:secrets@1.0.0' }],
      ['read_file', { package: 'npm:secrets@1.0.0', path: 'secrets/plan.ts' }],
      ['list_files', { package: 'npm:secrets@1.0.0', depth: 2 }],
    ] as const;
    for (const [tool, input] of calls) {
      const ours = await call(tool, input);
      expect(`${ours.isError} ${ours.text}`).toMatch(/^false [^]*plan\.ts/);
      const theirs = await call(tool, input, 1);
      expect([theirs.isError, theirs.text]).toEqual([
        true,
        expect.stringContaining('(code: package_not_found)'),
      ]);
    }
  });

  it.each([
    ['search_code', { pattern: recent, package: 'npm:carts@2.0.0', context_lines: 1 }],
    ['search_code', { pattern: 'x', package: 'npm:unknown-package' }],
    ['read_file', { package: 'npm:carts@2.0.0', path: 'carts/src/cart.ts', end_line: 2 }],
    ['read_file', { package: 'npm:carts@1.0.0', path: 'none.ts' }],
    ['list_files', { package: 'npm:carts@2.0.0', depth: 3 }],
    ['list_files', { package: 'npm:carts@2.0.0', glob: '**/pay.ts', skip: 1 }],
  ])('answer over stdio as the endpoint does: %s %j', async (tool, input) => {
    const timeless = (text: string) => text.replace(/Receipt \S+\./, 'Receipt.');
    const one = await toolText(stdio, tool, input);
    const other = await call(tool, input);
    expect([one.isError, timeless(one.text)]).toEqual([other.isError, timeless(other.text)]);
  });
});
