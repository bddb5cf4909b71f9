import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { ApiClient, type SearchView, type SourceView } from '#test/support/api-client';
import { TestRepository } from '#test/support/git-repository';
import { ON_STACK } from '#test/support/stack/stack-environment';
import { TwoTenantService } from '#test/support/two-tenants';

const LIMIT = 100;
const PLANS = {
  standard: { search: { hour: LIMIT } },
  large: { search: { hour: null, day: null } },
};

interface Usage {
  readonly plan: string;
  readonly usage: readonly { metric: string; window: string; used: number; remaining: number }[];
}

/** On servers with two APIs, else in the one process. */
describe('a tenant that searches more than its plan allows', () => {
  let service: TwoTenantService;
  beforeAll(async () => {
    service = await TwoTenantService.start({ QUOTA_PLANS: JSON.stringify(PLANS) }, { api: 2 });
    const repository = TestRepository.create(`${service.scratch}/repo`, {
      'src/a.py': 'def drain():\n    pass\n',
    });
    const { id } = await service.first.createRepo('Searched', repository.url);
    await service.first.syncToEnd(id);
  }, 240_000);
  afterAll(() => service.dispose());

  /** A client of each API for the key. */
  const clients = (key = service.key): ApiClient[] => {
    const urls = ON_STACK ? service.processes.apis.map(({ url }) => url) : [service.url];
    return urls.map((url) => new ApiClient(url, key));
  };
  const usedBy = async (client: ApiClient) => {
    const { usage } = await client.expect<Usage>('GET', '/quota/usage');
    return usage.find(({ metric, window }) => metric === 'search' && window === 'hour');
  };

  it('gets exactly 100 of 200 parallel searches answered, 100 refused, and 100 charges are stored', async () => {
    const all = clients();
    const answers = await Promise.all(
      Array.from({ length: 2 * LIMIT }, (_, index) =>
        (all[index % all.length] as ApiClient).call<SearchView & { code?: string }>(
          'POST',
          '/search',
          {
            query: 'drain',
          },
        ),
      ),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
    expect(refused).toHaveLength(LIMIT);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['quota_exceeded']));
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(3_000);
    for (const client of all)
      expect(await usedBy(client)).toMatchObject({ used: LIMIT, remaining: 0 });
  }, 120_000);

  it('is refused after a kill -9 and a start too, until the operator gives it another plan', async () => {
    await service.crash();
    const [client] = clients();
    if (!client) throw new Error('There is no API');
    expect((await client.call('POST', '/search', { query: 'drain' })).status).toBe(429);
    expect(await usedBy(client)).toMatchObject({ used: LIMIT });
    const tenantId = '00000000-0000-5000-8000-000000000001';
    await service.operate('change-plan', { tenant_id: tenantId, plan: 'large' });
    const deadline = Date.now() + 10_000;
    while ((await client.expect<Usage>('GET', '/quota')).plan !== 'large') {
      if (Date.now() > deadline) throw new Error('The plan did not come');
    }
    expect((await client.call('POST', '/search', { query: 'drain' })).status).toBe(200);
    await expect(
      service.operate('change-plan', { tenant_id: tenantId, plan: 'gold' }),
    ).rejects.toThrow('The plan must be one of standard, large (QUOTA_PLANS)');
  }, 120_000);

  it('has one source of each request, also of those whose answer a kill -9 took, and gets the same bodies again', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `Once ${index}`);
    const create = async (name: string) => {
      const body = { name, source_type: 'repo', url: 'https://example.com/once.git' };
      const [client] = clients();
      return client?.call<SourceView>('POST', '/sources', body, {
        'idempotency-key': name.replace(' ', '-'),
      });
    };
    const answered = new Map<string, SourceView | undefined>();
    const first = names.map(async (name) => answered.set(name, (await create(name))?.body));
    // Some are answered, and the others are somewhere on their way.
    await Promise.any(first);
    await service.crash();
    await Promise.allSettled(first);
    expect(answered.size).toBeGreaterThan(0);
    expect(answered.size).toBeLessThan(names.length);
    const ids = new Map<string, string | undefined>();
    for (const name of names) {
      const [again, third] = [await create(name), await create(name)];
      expect([again?.status, third?.status]).toEqual([201, 201]);
      expect(third?.body).toEqual(again?.body);
      if (answered.has(name)) expect(again?.body).toEqual(answered.get(name));
      ids.set(name, again?.body.id);
    }
    const [client] = clients();
    const { sources } = await (client as ApiClient).expect<{ sources: SourceView[] }>(
      'GET',
      '/sources?limit=100',
    );
    const made = sources.filter(({ name }) => ids.has(name));
    expect(made).toHaveLength(names.length);
    for (const { name, id } of made) expect(id).toBe(ids.get(name));
  }, 120_000);
});
