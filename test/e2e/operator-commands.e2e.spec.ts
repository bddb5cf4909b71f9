import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { basename, join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiClient, type SourceView } from '#test/support/api-client';
import { TestRepository } from '#test/support/git-repository';
import { ServiceProcess } from '#test/support/service-process';
import { TwoTenantService } from '#test/support/two-tenants';

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs an operator command as `npm run` does, on a data folder. */
function command(name: string, dataDir: string, ...words: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(process.cwd(), `dist/apps/standalone/admin/${name}.js`), ...words],
      { env: { PATH: process.env['PATH'], DATA_DIR: dataDir }, timeout: 120_000 },
      (error, stdout, stderr) => {
        resolve({
          status: error ? (typeof error.code === 'number' ? error.code : -1) : 0,
          stdout,
          stderr,
        });
      },
    );
  });
}

/** Text that contains, or matches, for `toMatchObject`. */
const containing = (part: string): unknown => expect.stringContaining(part);

/** Everything a search answers but what time alone changes. */
async function answersOf(client: ApiClient, queries: readonly string[]): Promise<unknown[]> {
  const answers = [];
  for (const query of queries) {
    const { results, message } = await client.search(query);
    answers.push({
      message,
      results: results?.map(({ content, score, citation }) => ({ content, score, citation })),
    });
  }
  return answers;
}

const QUERIES = ['how are apples picked', 'pickPear', 'storage of fruit in the cellar', 'quince'];

describe('operator commands', () => {
  let service: TwoTenantService;
  let source: SourceView;

  beforeAll(async () => {
    service = await TwoTenantService.start();
    const repository = TestRepository.create(`${service.scratch}/fruit`, {
      'src/apple.ts':
        '/** Picks apples from the tree. */\nexport function pickApple(): string {\n  return "apple";\n}\n',
      'src/pear.ts':
        '/** Picks pears. */\nexport function pickPear(): string {\n  return "pear";\n}\n',
      'docs/cellar.md':
        '# Cellar\n\nFruit is stored in the cellar over winter.\n\n## Quince\n\nQuinces keep long.\n',
    });
    source = await service.first.createRepo('Fruit', repository.url);
    await service.first.syncToEnd(source.id);
    repository.commit({
      'src/pear.ts':
        '/** Picks ripe pears only. */\nexport function pickPear(): string {\n  return "ripe";\n}\n',
    });
    await service.first.syncToEnd(source.id);
  }, 90_000);
  afterAll(() => service.dispose());

  it('create a tenant while the service runs; its key works at once and sees nothing of others', async () => {
    const { status, stdout } = await command('tenant', service.dataDir, 'create', 'Third');
    expect(status).toBe(0);
    const key = /^key\s+(fnt_\S+)$/m.exec(stdout)?.[1] ?? '';
    const client = new ApiClient(service.url, key);
    expect(await client.expect('GET', '/sources')).toMatchObject({ sources: [], total: 0 });
    const { stdout: again } = await command(
      'tenant',
      service.dataDir,
      'key',
      /^tenant\s+(\S+)$/m.exec(stdout)?.[1] ?? '',
    );
    const further = new ApiClient(service.url, /^key\s+(fnt_\S+)$/m.exec(again)?.[1] ?? '');
    expect((await further.call('GET', '/keys')).status).toBe(200);
    const tenant = /^tenant\s+(\S+)$/m.exec(stdout)?.[1] ?? '';
    const { stdout: invited } = await command('tenant', service.dataDir, 'invite', tenant);
    const token = /^token\s+(fni_\S+)$/m.exec(invited)?.[1];
    const body = { token, email: 'ada@example.com', password: 'correct horse battery staple' };
    const accepted = await client.call('POST', '/auth/accept', body);
    expect(accepted).toMatchObject({
      status: 201,
      body: { role: 'owner', tenant_id: tenant, tenant_name: 'Third' },
    });
  });

  it('refuse a tenant without a name and a key for nobody, each with one sentence', async () => {
    expect(await command('tenant', service.dataDir, 'create', ' ')).toMatchObject({
      status: 1,
      stderr: 'A tenant must have a name\n',
    });
    const unknown = await command(
      'tenant',
      service.dataDir,
      'key',
      '0190b5e4-7b1d-7000-8000-000000000000',
    );
    expect(unknown).toMatchObject({ status: 1, stderr: containing('There is no tenant 0190b5e4') });
  });

  it('examine a running service and find it in order', async () => {
    const { status, stdout } = await command('doctor', service.dataDir);
    expect(stdout).toMatch(/✔ event log: \d+ events/);
    expect(stdout).toContain('✔ index: 1 published generations equal their packs');
    expect(status).toBe(0);
  });

  it('rebuild read models and index next to the old ones while searches continue, with the same answers', async () => {
    const before = await answersOf(service.first, QUERIES);
    const sources = await service.first.expect('GET', '/sources');
    const jobs = await service.first.expect('GET', '/jobs');
    const rebuilding = command('rebuild', service.dataDir);
    const during = await answersOf(service.first, QUERIES);
    const { status, stdout } = await rebuilding;
    expect({ status, named: /sources: \d+ events/.test(stdout) }).toEqual({
      status: 0,
      named: true,
    });
    expect(during).toEqual(before);
    expect(await answersOf(service.first, QUERIES)).toEqual(before);
    expect(await service.first.expect('GET', '/sources')).toEqual(sources);
    expect(await service.first.expect('GET', '/jobs')).toEqual(jobs);
  });

  it('rebuild an index whose files were damaged and whose records were deleted, so that it is whole on the disk', async () => {
    const before = await answersOf(service.first, QUERIES);
    const index = join(service.dataDir, 'index');
    const files = readdirSync(index, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const segments = files.filter(({ parentPath }) => basename(parentPath) === 'segments');
    expect(segments.length).toBeGreaterThan(0);
    for (const { parentPath, name } of segments) truncateSync(join(parentPath, name), 100);
    for (const { parentPath, name } of files)
      if (name.endsWith('.json')) rmSync(join(parentPath, name));
    expect(await command('rebuild', service.dataDir)).toMatchObject({ status: 0 });
    expect(await answersOf(service.first, QUERIES)).toEqual(before);
    const { status, stdout } = await command('doctor', service.dataDir);
    expect(stdout).not.toMatch(/^✘/m);
    expect(status).toBe(0);
    const served = readdirSync(index, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const whole = served.filter(({ parentPath }) => basename(parentPath) === 'segments');
    expect(whole.map(({ name }) => name).sort()).toEqual(segments.map(({ name }) => name).sort());
    for (const { parentPath, name } of whole) {
      expect(
        createHash('sha256')
          .update(readFileSync(join(parentPath, name)))
          .digest('hex'),
      ).toBe(name);
    }
  }, 60_000);

  it('answer the same after everything disposable was deleted', async () => {
    const before = await answersOf(service.first, QUERIES);
    const sources = await service.first.expect('GET', '/sources');
    await service.restart(() => {
      for (const name of ['read-models', 'index', 'queue', 'git', 'reactor']) {
        rmSync(join(service.dataDir, name), { recursive: true, force: true });
      }
    });
    expect(await service.first.expect('GET', '/sources')).toEqual(sources);
    expect(await answersOf(service.first, QUERIES)).toEqual(before);
  }, 60_000);

  it('back up a running service and restore it elsewhere, the keys apart', async () => {
    const before = await answersOf(service.first, QUERIES);
    const backup = join(service.scratch, 'backup');
    const taken = await command('backup', service.dataDir, backup);
    expect(taken).toMatchObject({ status: 0, stdout: containing('store that file separately') });
    expect(readdirSync(backup).sort()).toEqual(['backup.json', 'blobs', 'key-ring.json', 'log']);
    expect(await command('backup', service.dataDir, backup)).toMatchObject({
      status: 1,
      stderr: containing('is not empty'),
    });

    const restored = join(service.scratch, 'restored');
    expect((await command('restore', restored, backup)).status).toBe(0);
    expect(await command('restore', restored, backup)).toMatchObject({ status: 1 });
    const examined = await command('doctor', restored);
    expect(examined).toMatchObject({ status: 0, stdout: containing('✔ event log') });
    const copy = await ServiceProcess.start({ dataDir: restored, key: service.key });
    try {
      expect(await answersOf(new ApiClient(copy.url, service.key), QUERIES)).toEqual(before);
    } finally {
      await copy.kill();
    }
  }, 90_000);

  it('refuse a folder that is no backup', async () => {
    const refused = await command('restore', join(service.scratch, 'nothing'), service.scratch);
    expect(refused).toMatchObject({ status: 1, stderr: containing('is not a complete backup') });
    expect(existsSync(join(service.scratch, 'nothing', 'log', 'events.db'))).toBe(false);
  });

  it('name the owner when a second service starts on the same folder', async () => {
    const second = ServiceProcess.start({ dataDir: service.dataDir, key: service.key });
    await expect(second).rejects.toThrow(`process ${service.service.pid} on`);
  });
});
