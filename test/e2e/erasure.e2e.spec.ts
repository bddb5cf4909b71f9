import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { FIRST_TENANT_ID, sleep } from '#platform';
import { TestRepository } from '#test/support/git-repository';
import { TwoTenantService } from '#test/support/two-tenants';

interface Report {
  readonly ok: boolean;
  readonly checks: readonly {
    readonly name: string;
    readonly state: string;
    readonly detail: string;
  }[];
}

describe('an erased tenant', () => {
  let service: TwoTenantService;

  beforeAll(async () => {
    service = await TwoTenantService.start();
    for (const [name, client] of [
      ['first', service.first],
      ['second', service.second],
    ] as const) {
      const repository = TestRepository.create(`${service.scratch}/${name}`, {
        'src/quince.ts': 'export function pickQuince(): string {\n  return "quince";\n}\n',
      });
      const source = await client.createRepo(name, repository.url);
      await client.syncToEnd(source.id);
      expect((await client.search('pickQuince')).results).toHaveLength(1);
    }
  }, 90_000);
  afterAll(() => service.dispose());

  it('is refused at once and stays so over kills, its key goes, and the other keeps everything', async () => {
    const asked = await service.first.call('DELETE', '/tenant', { confirm: FIRST_TENANT_ID });
    expect(asked).toMatchObject({ status: 202, body: { status: 'erasing' } });
    await service.crash();
    expect((await service.first.call('POST', '/search', { query: 'pickQuince' })).status).toBe(401);
    const ring = await untilDestroyed();
    expect(ring).toContain('keys of 1 tenants were destroyed');
    await service.crash();
    expect((await service.first.call('GET', '/sources')).status).toBe(401);
    expect((await service.second.search('pickQuince')).results).toHaveLength(1);
    await service.operate('rebuild');
    expect((await service.first.call('GET', '/sources')).status).toBe(401);
    expect((await service.second.search('pickQuince')).results).toHaveLength(1);
    const report = (await service.operate('doctor')) as Report;
    expect(report.checks.filter(({ state }) => state === 'failed')).toEqual([]);
    expect(report.checks.find(({ name }) => name === 'index')?.detail).toContain(
      '1 published generations',
    );
    await expect(service.operate('issue-key', { tenant_id: FIRST_TENANT_ID })).rejects.toThrow(
      'was erased',
    );
  }, 90_000);

  it('is erased by the operator in the same way, who has to name it', async () => {
    const { tenant_id } = (await service.operate('create-tenant', { name: 'Third' })) as {
      tenant_id: string;
    };
    const erase = (confirm: string) => service.operate('erase-tenant', { tenant_id, confirm });
    await expect(erase('Fourth')).rejects.toThrow(`"Third", or its id, ${tenant_id}`);
    const destroyed = { sources: 0, jobs: 0, people: 0, generations: 0, blobs: 0, blob_bytes: 0 };
    expect(await erase('Third')).toMatchObject({ state: 'erased', destroyed });
    expect(await erase('Third')).toMatchObject({ state: 'erased', destroyed });
  }, 60_000);

  async function untilDestroyed(): Promise<string> {
    for (let tries = 0; tries < 100; tries += 1) {
      const { checks } = (await service.operate('doctor')) as Report;
      const detail = checks.find(({ name }) => name === 'key ring')?.detail ?? '';
      if (detail.includes('destroyed')) return detail;
      await sleep(100);
    }
    throw new Error('The key was not destroyed in time');
  }
});
