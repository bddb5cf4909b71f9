import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { InMemoryProjections } from '#apps/api/in-memory/in-memory-projections';
import { type Clock, newApiKeySecret, sleep } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { CutOffStore } from '#test/support/cut-off-store';
import { proposed } from '#test/support/sample-events';

import { KeyUsage } from './key-usage.js';

describe('an API that is cut off from the event log', () => {
  let api: ApiHarness;
  let cutOff: CutOffStore;
  let elapsed = 0;
  const clock: Clock = { now: () => new Date(), monotonic: () => elapsed };
  const revoked = newApiKeySecret().secret;
  let revokedId = '';

  beforeEach(async () => {
    elapsed = -20_000;
    api = await ApiHarness.start({ clock, between: (log) => (cutOff = new CutOffStore(log)) });
    revokedId = await api.issueKey(api.tenantA, revoked, ['read', 'write']);
    await noteUses();
  });
  afterEach(async () => {
    cutOff.repair();
    await api.stop();
  });

  const beat = () => api.app.get(InMemoryProjections).pulse.beat();
  const statusOf = async (key: string) =>
    (await api.call('GET', '/sources', undefined, { key })).status;
  /**
   * Uses each key before a test cuts the API off from the log. The log and the API then know the
   * use of this hour, so no later request adds an event.
   */
  const noteUses = async () => {
    for (const key of [revoked, api.keyA, api.keyB]) expect(await statusOf(key)).toBe(200);
    await api.app.get(KeyUsage).flush();
    elapsed = 0;
    for (let tries = 0; (await statusOf(api.keyA)) !== 200 && tries < 1_000; tries += 1) {
      await sleep(20);
      await beat();
    }
    expect(await statusOf(api.keyA)).toBe(200);
  };
  const readiness = () =>
    api.call<{ checks: { name: string; detail?: string }[] }>('GET', '/health/ready', undefined, {
      key: null,
    });
  /** Acts as another process of the service: this one learns of it by its subscription alone. */
  const revokeElsewhere = () =>
    api.store.append(
      `apikey-${revokedId}`,
      [
        proposed(
          { type: 'ApiKeyRevoked', data: { key_id: revokedId } },
          { tenant_id: api.tenantA },
        ),
      ],
      'any',
    );

  it.each(['away', 'stalled'] as const)(
    'accepts no revoked key for longer than 10 s (%s)',
    async (how) => {
      cutOff.cut(how);
      await revokeElsewhere();
      for (elapsed = 2_000; elapsed <= 10_000; elapsed += 2_000) {
        await beat();
        expect(await statusOf(revoked)).toBe(200);
      }
      elapsed = 10_001;
      await beat();
      for (const key of [revoked, api.keyA, api.keyB]) {
        const refused = await api.call('GET', '/sources', undefined, { key });
        expect(refused).toMatchObject({ status: 503, body: { code: 'engine_unavailable' } });
        expect(refused.text).toContain('cut off from its event log');
      }
      const { status, body } = await readiness();
      expect(status).toBe(503);
      const followers = body.checks.find(({ name }) => name === 'followers');
      expect(followers?.detail).toMatch(/^cut off from the event log: .*api-keys/);
      cutOff.repair();
      for (let tries = 0; (await statusOf(api.keyA)) !== 200 && tries < 100; tries += 1) {
        await sleep(20);
        await beat();
      }
      expect([await statusOf(api.keyA), await statusOf(revoked)]).toEqual([200, 401]);
      elapsed += 1_000;
      expect((await readiness()).status).toBe(200);
    },
  );

  it('goes on by subscriptions that are silent because nothing happens', async () => {
    cutOff.cut('stalled');
    for (elapsed = 5_000; elapsed <= 100_000; elapsed += 5_000) {
      await beat();
      expect(await statusOf(api.keyA)).toBe(200);
    }
  });

  it('goes on while events come that none of what it keeps is made of', async () => {
    cutOff.cut('stalled');
    for (elapsed = 5_000; elapsed <= 50_000; elapsed += 5_000) {
      const name = `t-${elapsed}`;
      const tenant = { type: 'TenantCreated' as const, data: { tenant_id: name, name } };
      await api.store.append(`tenant-${name}`, [proposed(tenant)], 'any');
      await beat();
      expect(await statusOf(api.keyA)).toBe(200);
    }
  });
});
