import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { AuditKeyList, CheckpointView } from '#contracts/http/index';
import { silentLogger, systemClock } from '#platform';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { keysUsed } from '#test/support/api/keys-used';
import { operatorRun } from '#test/support/operator-run';
import { readLog } from '#test/support/read-log';
import { tempDir } from '#test/support/temp-dir';

import { exportTrail } from './export-trail-operation.js';

const hasPython = spawnSync('python3', ['--version']).status === 0;

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm run verify-export`. */
function verifyExport(...words: readonly string[]): Promise<Ended> {
  const file = join(process.cwd(), 'dist/apps/standalone/admin/verify-export.js');
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...words], { timeout: 120_000 }, (error, stdout, stderr) => {
      const status = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
      resolve({ status, stdout, stderr });
    });
  });
}

describe('exports of the audit trail from the log alone', () => {
  const folder = tempDir();
  let api: ApiHarness;
  let key: string;
  const path = (name: string) => join(folder.path, name);

  beforeAll(async () => {
    api = await ApiHarness.start();
    await keysUsed(api);
    const body = { name: 'docs', source_type: 'repo', url: 'https://example.com/a.git' };
    for (const key of [api.keyA, api.keyB]) {
      await api.call('POST', '/sources', body, { key });
      await api.call('PUT', '/policy', { staleness_budget_seconds: 7_200 }, { key });
      await api.call('PUT', '/policy', { staleness_budget_seconds: 3_600 }, { key });
    }
    const { body: kept } = await api.call<CheckpointView>('POST', '/audit/checkpoints');
    writeFileSync(path('kept.txt'), kept.checkpoint);
    const { body: list } = await api.call<AuditKeyList>('GET', '/audit/keys');
    key = list.keys[0]?.key ?? '';
    writeFileSync(path('keys.txt'), list.keys.map((each) => `${each.key}\n`).join(''));
    const { text } = await api.call('GET', '/audit/export');
    writeFileSync(path('before.ndjson'), text);
  });
  afterAll(async () => {
    await api.stop();
    folder.remove();
  });

  const exported = (name: string, tenant = api.tenantA) =>
    exportTrail(
      { eventStore: api.store, clock: systemClock, logger: silentLogger },
      tenant,
      path(name),
      operatorRun('export-trail'),
    );

  it('are the export of the API, continued, and verify with a kept checkpoint', async () => {
    const summary = await exported('log.ndjson');
    const http = readFileSync(path('before.ndjson'), 'utf8').split('\n').slice(0, -2);
    const lines = readFileSync(path('log.ndjson'), 'utf8').split('\n').slice(0, -2);
    expect(lines.slice(0, http.length)).toEqual(http);
    expect(summary).toMatchObject({ records: lines.length, checkpoint_size: expect.any(Number) });
    const terms = ['--checkpoint', path('kept.txt'), '--key', path('keys.txt')];
    const { status, stdout } = await verifyExport(path('log.ndjson'), ...terms);
    expect([status, stdout]).toEqual([0, expect.stringContaining(`root=${summary.root}`)]);
    expect(stdout).toContain('checkpoint=signed unchecked_changes=0');
    const [start, end] = (await readLog(api.store)).slice(-2);
    expect(start).toMatchObject({
      type: 'AuditExportStarted',
      metadata: {
        tenant_id: api.tenantA,
        actor: { type: 'operator', id: 'tester', name: 'export-trail' },
      },
    });
    expect(end).toMatchObject({ type: 'AuditExportEnded', data: { end: 'completed' } });
  });

  it('verify in parts, as a download that broke off and its continuation', async () => {
    const text = readFileSync(path('before.ndjson'), 'utf8');
    writeFileSync(path('part-1.ndjson'), text.slice(0, text.indexOf('\n', 2_000) + 300));
    const lines = readFileSync(path('part-1.ndjson'), 'utf8').split('\n').length - 1;
    const rest = await api.call('GET', `/audit/export?after=${lines - 1}`);
    writeFileSync(path('part-2.ndjson'), rest.text);
    const words = [path('part-1.ndjson'), path('part-2.ndjson'), '--key', key];
    const joined = await verifyExport(...words);
    expect([joined.status, joined.stdout]).toEqual([
      0,
      expect.stringContaining('checkpoint=signed unchecked_changes=0'),
    ]);
    const gap = await api.call('GET', `/audit/export?after=${lines}`);
    writeFileSync(path('part-2.ndjson'), gap.text);
    const broken = await verifyExport(...words);
    expect([broken.status, broken.stdout]).toEqual([
      1,
      expect.stringContaining(`broken kind=seq seq=${lines} part=2 `),
    ]);
  });

  (hasPython ? it : it.skip)('verify by the second verifier, downloaded over HTTP', () => {
    const script = join(process.cwd(), 'tools/verify_export.py');
    const words = [script, '--key', key, '--checkpoint', path('kept.txt'), path('before.ndjson')];
    const ended = spawnSync('python3', words, { encoding: 'utf8', timeout: 120_000 });
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    expect(ended.stdout).toMatch(/: valid records=[1-9]/);
  });

  it('verify after the tenant was erased and its keys are gone', async () => {
    const confirm = { confirm: api.tenantB };
    await api.call('POST', '/audit/checkpoints', undefined, { key: api.keyB });
    expect((await api.call('DELETE', '/tenant', confirm, { key: api.keyB })).status).toBe(202);
    await api.keyRing.destroy(api.tenantB);
    const { root } = await exported('erased.ndjson', api.tenantB);
    const { status, stdout } = await verifyExport(path('erased.ndjson'), '--json');
    expect([status, JSON.parse(stdout)]).toMatchObject([
      0,
      { valid: true, root, checkpoint: 'unsigned', unchecked_changes: 0 },
    ]);
    expect(readFileSync(path('erased.ndjson'), 'utf8')).toContain('TenantErasureRequested');
  });

  it('exit with 1 at the first break, and with 2 if a file cannot be read', async () => {
    const text = readFileSync(path('before.ndjson'), 'utf8');
    writeFileSync(path('broken.ndjson'), text.replace('"after":3600', '"after":3601'));
    const broken = await verifyExport(path('broken.ndjson'), '--key', key);
    expect([broken.status, broken.stdout]).toEqual([1, expect.stringMatching(/^broken kind=/)]);
    writeFileSync(path('short.ndjson'), text.slice(0, -10));
    const short = await verifyExport(path('short.ndjson'), '--json');
    expect([short.status, JSON.parse(short.stdout)]).toMatchObject([
      1,
      { valid: false, first_break: { kind: 'truncated' } },
    ]);
    const other = await verifyExport(path('erased.ndjson'), '--checkpoint', path('kept.txt'));
    expect([other.status, other.stdout]).toEqual([1, expect.stringContaining('kind=checkpoint')]);
    for (const words of [
      [path('absent.ndjson')],
      [path('before.ndjson'), '--key', path('kept.txt')],
    ]) {
      const unread = await verifyExport(...words);
      expect([unread.status, unread.stdout]).toEqual([2, '']);
    }
  });

  it('never overwrite a file, and exist for known tenants alone', async () => {
    await expect(exported('before.ndjson')).rejects.toThrow('EEXIST');
    const id = unknownId();
    await expect(exported('none.ndjson', id)).rejects.toThrow(`Tenant ${id} not found`);
  });
});
