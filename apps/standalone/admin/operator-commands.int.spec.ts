import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { createProjector } from '#apps/projector/projector';
import { SYSTEM_TENANT } from '#contracts';
import { ALL_ENGINES, type Engines, openEngines, Resources } from '#engines';
import { loadConfig, silentLogger } from '#platform';
import { readLog } from '#test/support/read-log';
import { tempDir } from '#test/support/temp-dir';

import { adminOperations } from './operations.js';
import { thisOperator } from './operator/operator.js';
import type { OperatorRecord } from './operator/operator-trail.js';
import { serveAdmin } from './socket.js';

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe('commands of the operator', () => {
  const folder = tempDir();
  const resources = new Resources();
  let engines: Engines;
  let caughtUp: () => Promise<unknown>;
  const tenants: string[] = [];

  /** Runs `npm run <name> -- <words>` on the service of this test. */
  function command(name: string, ...words: readonly string[]): Promise<Ended> {
    const file = join(process.cwd(), `dist/apps/standalone/admin/${name}.js`);
    const options = { timeout: 120_000, env: { DATA_DIR: folder.path } };
    return new Promise((resolve) => {
      execFile(process.execPath, [file, ...words], options, (error, stdout, stderr) => {
        const status = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
        resolve({ status, stdout, stderr });
      });
    });
  }

  beforeAll(async () => {
    const config = loadConfig({ DATA_DIR: folder.path }, '/');
    engines = resources.closing(await openEngines(config, silentLogger, ALL_ENGINES));
    const projector = resources.stopping(createProjector(engines));
    await projector.start();
    caughtUp = () => projector.caughtUp();
    const operations = adminOperations(engines, { projector, pipeline: null });
    resources.closing(await serveAdmin(folder.path, operations, silentLogger));
    for (const name of ['A', 'B']) {
      const { stdout } = await command('tenant', 'create', name, '--reason', `Contract ${name}`);
      tenants.push(/^tenant (\S+)/.exec(stdout)?.[1] ?? '');
    }
  });
  afterAll(async () => {
    await resources.close();
    folder.remove();
  });

  const doctor = async () => {
    await caughtUp();
    const { stdout } = await command('doctor', '--json');
    const { checks } = JSON.parse(stdout) as { checks: { name: string; detail: string }[] };
    return checks.find(({ name }) => name === 'legal hold')?.detail;
  };
  const trail = async (...words: readonly string[]): Promise<OperatorRecord[]> => {
    await caughtUp();
    const { stdout } = await command('operator-trail', '--json', ...words);
    const lines = stdout.split('\n').filter((each) => each !== '');
    return lines.map((each) => JSON.parse(each) as OperatorRecord);
  };

  it('name user, command and reason as the origin of their effects', async () => {
    const [tenantA = ''] = tenants;
    const log = await readLog(engines.eventStore);
    const own = log.filter(({ metadata }) => metadata.tenant_id === tenantA);
    expect(own.map(({ type }) => type)).toEqual(['TenantCreated', 'ApiKeyIssued']);
    const actor = { type: 'operator', id: thisOperator().user, name: 'create-tenant' };
    expect(own.map(({ metadata }) => metadata.actor)).toEqual([actor, actor]);
    const [completed, started] = (await trail()).filter(
      ({ correlation_id }) => correlation_id === own[0]?.metadata.correlation_id,
    );
    expect(completed).toMatchObject({ action: 'operator_command.completed', actor });
    expect(started).toMatchObject({
      action: 'operator_command.started',
      data: { command: 'create-tenant', reason: 'Contract A' },
    });
    expect(JSON.stringify(log.map(({ data }) => data))).not.toContain('Contract A');
  });

  it('set and release a legal hold, and the doctor names the tenant under hold', async () => {
    const [tenantA = '', tenantB = ''] = tenants;
    expect(await doctor()).toBe('no tenant is held');
    const held = await command('tenant', 'hold', tenantA, '--reason', 'Case 2026-14');
    expect(held).toMatchObject({ status: 0, stdout: `tenant ${tenantA} is under legal hold\n` });
    expect(await doctor()).toBe(tenantA);
    const refused = await command('tenant', 'erase', tenantA, '--confirm', tenantA);
    expect([refused.status, refused.stdout]).toEqual([1, '']);
    expect(refused.stderr).toMatch(/legal hold/i);
    const released = await command('tenant', 'release', tenantA, '--reason', 'Case closed');
    expect(released.stdout).toBe(`tenant ${tenantA} is not under legal hold\n`);
    expect(await doctor()).toBe('no tenant is held');
    const events = (await readLog(engines.eventStore)).filter(({ type }) =>
      type.startsWith('LegalHold'),
    );
    expect(events.map(({ type, metadata }) => [type, metadata.tenant_id])).toEqual([
      ['LegalHoldSet', tenantA],
      ['LegalHoldReleased', tenantA],
    ]);
    const runs = (await trail()).filter(({ data }) => data['tenant_id'] === tenantA);
    expect(runs.map(({ data }) => data['command'])).toEqual([
      'legal-hold',
      'erase-tenant',
      'legal-hold',
    ]);
    expect(
      (await trail()).find(({ action }) => action === 'operator_command.failed'),
    ).toMatchObject({ data: { command: 'erase-tenant' }, outcome: 'failure' });
    expect((await trail()).some(({ data }) => data['tenant_id'] === tenantB)).toBe(false);
  });

  it.each([
    ['a blank reason', (id: string) => ['hold', id, '--reason', ' '], 'Reason must not be blank'],
    [
      'an unknown tenant',
      () => ['hold', '0190b5e4-7b1d-7000-8000-00000000000c', '--reason', 'Case'],
      'not found',
    ],
    ['no reason', (id: string) => ['release', id], "required option '--reason <text>'"],
  ])('refuse a hold with %s', async (_, words, message) => {
    const { status, stderr } = await command('tenant', ...words(tenants[1] ?? ''));
    expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  it('read the trail of the operator page by page, and record that once an hour', async () => {
    const all = await trail('--limit', '1000');
    const first = await trail('--limit', '2');
    const second = await trail('--limit', '2', '--before', String(first.at(-1)?.seq));
    expect(second.every(({ seq }) => seq < Number(first.at(-1)?.seq))).toBe(true);
    const seqs = all.map(({ seq }) => seq);
    expect(seqs).toEqual([...seqs].sort((one, other) => other - one));
    await trail('--limit', '1000');
    const reads = (await readLog(engines.eventStore)).filter(
      ({ type, metadata }) => type === 'AuditTrailRead' && metadata.tenant_id === SYSTEM_TENANT,
    );
    const filters = reads.map(
      ({ data }) => `${String(data['filter_digest'])} ${String(data['hour'])}`,
    );
    expect(new Set(filters).size).toBe(filters.length);
    const bad = await command('operator-trail', '--limit', '0');
    expect(bad).toMatchObject({
      status: 1,
      stderr: 'Limit must be an integer from 1 to 1000 (got 0)\n',
    });
    const { stdout: table } = await command('operator-trail', '--limit', '1000');
    expect(table).toMatch(
      /operator_command\.started .*command="create-tenant" reason="Contract A"/,
    );
  });
});
