import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { SYSTEM_TENANT } from '#contracts';
import { type EventStore, openSqliteEventStore } from '#event-store';
import { silentLogger, systemClock } from '#platform';
import { readLog } from '#test/support/read-log';
import { tempDir } from '#test/support/temp-dir';

import type { Refusal } from './refusal-counts.js';
import { Refusals } from './refusals.js';

const MINUTE = Date.parse('2026-03-01T10:20:00.000Z');

describe('refusals', () => {
  const folder = tempDir();
  let store: EventStore;
  let now = MINUTE;
  const clock = { ...systemClock, now: () => new Date(now) };
  beforeAll(async () => {
    store = await openSqliteEventStore({
      directory: folder.path,
      onFatal: (error) => {
        throw error;
      },
    });
  });
  afterAll(async () => {
    await store.close();
    folder.remove();
  });

  const component = (log: Pick<EventStore, 'append' | 'read'> = store): Refusals =>
    new Refusals(log, clock, silentLogger);
  const refusal = (of: Partial<Refusal> & { address?: string } = {}): Refusal => ({
    tenantId: SYSTEM_TENANT,
    actor: { type: 'anonymous', id: of.address ?? '203.0.113.9' },
    code: 'unauthorized',
    status: 401,
    route: 'GET /sources',
    http: { request_id: 'r-1', ip: of.address ?? '203.0.113.9', method: 'GET', path: '/sources' },
    userId: null,
    accountDigest: null,
    sourceId: null,
    ...of,
  });
  const nextMinute = () => (now = (Math.floor(now / 60_000) + 1) * 60_000);
  const events = async (tenant: string) =>
    (await readLog(store)).filter(({ metadata }) => metadata.tenant_id === tenant);

  it('add at most 120 events for 10,000 bad keys a second during a minute', async () => {
    const tenantId = 'flood';
    const refusals = component();
    const total = 600_000;
    now = MINUTE + 30_000;
    for (let key = 0; key < total; key += 1) {
      if (key % 10_000 === 0) now += 1_000;
      // Worst case: each address tries few keys.
      refusals.note(refusal({ tenantId, address: `10.${key % 251}.${key % 241}.${key % 239}` }));
      if (key % 100_000 === 0) await refusals.flush();
    }
    nextMinute();
    await refusals.flush();
    nextMinute();
    refusals.note(refusal({ tenantId }));
    await refusals.flush({ all: true });
    const added = await events(tenantId);
    expect(added.length).toBeGreaterThan(60);
    expect(added.length - 1).toBeLessThanOrEqual(120);
    const counted = added.reduce(
      (sum, { data }) => sum + Number(data['count']) + Number(data['uncounted']),
      0,
    );
    expect(counted).toBe(total + 1);
  });

  it('count one actor and code once a minute, and each account and source apart', async () => {
    const tenantId = 'coalesced';
    const refusals = component();
    for (let turn = 0; turn < 5; turn += 1) {
      refusals.note(refusal({ tenantId }));
      refusals.note(refusal({ tenantId, code: 'sign_in_failed', userId: 'u-1' }));
      refusals.note(refusal({ tenantId, code: 'sign_in_failed', userId: 'u-2' }));
      refusals.note(refusal({ tenantId: 'other-tenant' }));
    }
    await refusals.flush();
    expect(await events(tenantId)).toEqual([]);
    nextMinute();
    await refusals.flush();
    const added = await events(tenantId);
    expect(added.map(({ data }) => [data['code'], data['user_id'], data['count']])).toEqual([
      ['unauthorized', null, 5],
      ['sign_in_failed', 'u-1', 5],
      ['sign_in_failed', 'u-2', 5],
    ]);
    expect(await events('other-tenant')).toHaveLength(1);
    expect(added[0]?.metadata).toMatchObject({
      actor: { type: 'anonymous', id: '203.0.113.9' },
      http: { request_id: 'r-1', ip: '203.0.113.9' },
    });
  });

  it('hold all processes together to 60 events, and count the rest in the next event', async () => {
    const tenantId = 'shared';
    const [one, other] = [component(), component()];
    for (let address = 0; address < 60; address += 1) {
      one.note(refusal({ tenantId, address: `a-${address}` }));
      other.note(refusal({ tenantId, address: `b-${address}` }));
      other.note(refusal({ tenantId, address: `b-${address}` }));
    }
    nextMinute();
    await one.flush();
    await other.flush();
    expect(await events(tenantId)).toHaveLength(60);
    other.note(refusal({ tenantId }));
    nextMinute();
    await other.flush();
    const last = (await events(tenantId)).at(-1);
    expect(last?.data).toMatchObject({ count: 1, uncounted: 120 });
  });

  it('wait for a log that fails, and are written once', async () => {
    const tenantId = 'failing';
    let failure: 'before' | 'after' | null = 'before';
    const log: Pick<EventStore, 'append' | 'read'> = {
      read: (...read) => store.read(...read),
      append: async (...append) => {
        if (failure === 'before') throw new Error('The log is away');
        const result = await store.append(...append);
        if (failure === 'after') throw new Error('The answer was lost');
        return result;
      },
    };
    const refusals = component(log);
    refusals.note(refusal({ tenantId }));
    nextMinute();
    await refusals.flush();
    expect(await events(tenantId)).toEqual([]);
    failure = 'after';
    await refusals.flush();
    failure = null;
    await refusals.flush();
    expect((await events(tenantId)).map(({ data }) => data['count'])).toEqual([1]);
  });

  it('of the running minute are recorded at shutdown', async () => {
    const tenantId = 'shutdown';
    const refusals = component();
    refusals.note(refusal({ tenantId }));
    await refusals.onApplicationShutdown();
    expect(await events(tenantId)).toHaveLength(1);
  });
});
