import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ServiceStores } from '#test/support/service-stores';
import { ON_STACK } from '#test/support/stack/stack-environment';
import { TwoTenantService } from '#test/support/two-tenants';

/** Runs an operator command as `npm run` does, while the service is stopped. */
function command(service: TwoTenantService, name: string) {
  return new Promise<{ status: number; stdout: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], ...service.variables };
    const main = join(process.cwd(), `dist/apps/standalone/admin/${name}.js`);
    execFile(process.execPath, [main], { env, timeout: 120_000 }, (error, stdout) => {
      resolve({ status: error ? (typeof error.code === 'number' ? error.code : -1) : 0, stdout });
    });
  });
}

describe('a key ring that is lost while its log remains', () => {
  let service: TwoTenantService;
  let stores: ServiceStores;
  let old = '';
  let putBack: () => Promise<void>;
  const place = ON_STACK ? 'DATABASE_URL' : 'DATA_DIR/keys';

  const searched = async (query: string): Promise<string> => {
    const { headers } = await service.first.call('POST', '/search', { query });
    return headers.get('x-receipt-id') ?? '';
  };
  const receipt = (id: string) =>
    service.first.call<{ query: string | null }>('GET', `/receipts/${id}`);
  const replay = (id: string) =>
    service.first.call<{ code: string }>('POST', `/receipts/${id}/replay`);
  const ring = async () => {
    const report = (await service.operate('doctor')) as {
      ok: boolean;
      checks: { name: string; detail: string }[];
    };
    return { ok: report.ok, detail: report.checks.find(({ name }) => name === 'key ring')?.detail };
  };

  beforeAll(async () => {
    service = await TwoTenantService.start();
    stores = new ServiceStores(service);
    old = await searched('sealed with the old ring');
    expect(await ring()).toEqual({ ok: true, detail: '1 sealed texts open' });
    await service.stop();
    putBack = await stores.loseKeys();
  }, 120_000);
  afterAll(() => service.dispose());

  it('ends the start with a sentence that says what to put back, and the doctor says it too', async () => {
    const [sentence] = await stores.refusals(60_000, ['api']);
    expect(sentence).toContain(`The key ring (${place}) is missing or empty, but the event log (`);
    expect(sentence).toMatch(/nothing was changed: put the (folder|rows) .* back/);
    const { status, stdout } = await command(service, 'doctor');
    expect(status).toBe(1);
    expect(stdout).toMatch(/✘ log of the key ring: none yet, and empty/);
  }, 120_000);

  it('is given up by npm run adopt: old text is erased, never an error, and the doctor names it', async () => {
    expect((await command(service, 'adopt')).status).toBe(0);
    await service.startAgain();
    expect(await receipt(old)).toMatchObject({
      status: 200,
      body: { query: null, query_erased: true },
    });
    expect(await replay(old)).toMatchObject({ status: 409, body: { code: 'receipt_erased' } });
    const meanwhile = await searched('sealed meanwhile');
    expect((await receipt(meanwhile)).body.query).toBe('sealed meanwhile');
    expect(await receipt(old)).toMatchObject({ status: 200, body: { query: null } });
    expect(await replay(old)).toMatchObject({ status: 409, body: { code: 'receipt_erased' } });
    const { ok, detail } = await ring();
    expect([ok, detail]).toEqual([false, expect.stringContaining(`receipts ${old} of `)]);
  }, 120_000);

  it('is put back into the new one: both open what they sealed', async () => {
    const meanwhile = await searched('sealed just before');
    await service.stop();
    await putBack();
    await service.startAgain();
    expect((await receipt(old)).body.query).toBe('sealed with the old ring');
    expect((await receipt(meanwhile)).body.query).toBe('sealed just before');
    expect((await receipt(await searched('sealed after'))).body.query).toBe('sealed after');
    expect((await ring()).ok).toBe(true);
  }, 120_000);
});
