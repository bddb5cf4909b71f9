import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { Position, RecordedEvent } from '#contracts';
import type { AuditEventList } from '#contracts/http/index';
import type { EventStore } from '#event-store';
import { silentLogger, systemClock } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { readLog } from '#test/support/read-log';

import { RecordedReads } from './recorded-reads.js';
import { TrailExports } from './trail-exports.js';

const START = Date.parse('2026-03-01T10:20:00.000Z');

describe('recorded reads', () => {
  let now = START;
  let api: ApiHarness;
  const clock = { ...systemClock, now: () => new Date(now) };
  beforeAll(async () => {
    api = await ApiHarness.start({ clock });
  });
  afterAll(() => api.stop());

  const recorded = async (type: string, tenantId = api.tenantA): Promise<RecordedEvent[]> =>
    (await readLog(api.store)).filter(
      (event) => event.type === type && event.metadata.tenant_id === tenantId,
    );
  const reader = () => ({
    tenantId: api.tenantA,
    actor: { type: 'api_key', id: 'k' } as const,
    requestId: 'r',
    http: { request_id: 'r', method: 'GET', path: '/audit/export' },
  });

  it('records one event per actor, filter and hour, however often the trail is read', async () => {
    for (let read = 0; read < 3; read += 1) {
      await api.call('GET', '/audit/events?action=policy.*&limit=1');
      await api.call('GET', '/audit/events?order=asc&action=policy.*');
    }
    expect(await recorded('AuditTrailRead')).toHaveLength(1);
    await api.call('GET', '/audit/events?action=key.issued');
    expect(await recorded('AuditTrailRead')).toHaveLength(2);
    now += 3_600_000;
    await api.call('GET', '/audit/events?action=policy.*');
    const events = await recorded('AuditTrailRead');
    expect(events.map(({ data }) => data['hour'])).toEqual([
      '2026-03-01T10:00:00.000Z',
      '2026-03-01T10:00:00.000Z',
      '2026-03-01T11:00:00.000Z',
    ]);
    expect(events[0]?.metadata).toMatchObject({
      actor: { type: 'api_key' },
      http: { method: 'GET', path: '/audit/events' },
    });
    expect(await recorded('AuditTrailRead', api.tenantB)).toEqual([]);
  });

  it('causes no loop: a reader who polls the whole trail adds one event', async () => {
    const before = (await recorded('AuditTrailRead')).length;
    for (let poll = 0; poll < 5; poll += 1) await api.call('GET', '/audit/events?limit=100');
    for (const from of ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'])
      await api.call('GET', `/audit/events?limit=100&from=${from}`);
    expect(await recorded('AuditTrailRead')).toHaveLength(before + 1);
  });

  it('causes no loop for a reader who fetches each record of a read', async () => {
    const fetched = new Set<string>();
    const fetchNew = async (): Promise<number> => {
      const { body } = await api.call<AuditEventList>(
        'GET',
        '/audit/events?action=audit_trail.read&limit=100',
      );
      const added = body.events.filter(({ id }) => !fetched.has(id));
      for (const { id } of added) {
        await api.call('GET', `/audit/events/${id}`);
        fetched.add(id);
      }
      return added.length;
    };
    expect(await fetchNew()).toBeGreaterThan(1);
    // The first record that is fetched adds one more, which adds none.
    expect(await fetchNew()).toBe(1);
    expect(await fetchNew()).toBe(0);
  });

  it('records lists of keys and members, for their tenant', async () => {
    await api.call('GET', '/keys');
    await api.call('GET', '/keys');
    await api.call('GET', '/keys', undefined, { key: api.keyB });
    expect(await recorded('KeysListed')).toHaveLength(1);
    expect(await recorded('KeysListed', api.tenantB)).toHaveLength(1);
  });

  it('records a read once, also if another process recorded it', async () => {
    const one = new RecordedReads(api.store, clock, silentLogger);
    const other = new RecordedReads(api.store, clock, silentLogger);
    const subject = { kind: 'receipt', receiptId: 'x' } as const;
    await Promise.all([one.record(reader(), subject), other.record(reader(), subject)]);
    await other.record(reader(), subject);
    expect(await recorded('ReceiptRead')).toHaveLength(1);
  });

  it('lets a read continue while the log fails, and records the next one', async () => {
    let fails = true;
    const log: Pick<EventStore, 'append' | 'read'> = {
      read: (...read) => api.store.read(...read),
      append: (...append) =>
        fails ? Promise.reject(new Error('The log is away')) : api.store.append(...append),
    };
    const reads = new RecordedReads(log, clock, silentLogger);
    await reads.record(reader(), { kind: 'members' });
    expect(await recorded('MembersListed')).toEqual([]);
    fails = false;
    await reads.record(reader(), { kind: 'members' });
    expect(await recorded('MembersListed')).toHaveLength(1);
  });

  it('records the start and the end of an export, once each', async () => {
    const exports = new TrailExports(api.store, clock, silentLogger);
    const running = await exports.start(reader(), 'export', { action: 'policy.*' });
    expect(await recorded('AuditExportStarted')).toHaveLength(1);
    expect(await recorded('AuditExportEnded')).toEqual([]);
    await running.end(12, 'completed');
    await running.end(12, 'completed');
    const [ended, ...more] = await recorded('AuditExportEnded');
    expect(ended?.data).toEqual({ export_id: running.exportId, records: 12, end: 'completed' });
    expect(more).toEqual([]);
  });

  it('refuses to start an export while the log fails', async () => {
    const append = (): Promise<{ revision: bigint; position: Position }> =>
      Promise.reject(new Error('The log is away'));
    const log = { read: api.store.read.bind(api.store), append };
    const exports = new TrailExports(log, clock, silentLogger);
    await expect(exports.start(reader(), 'feed', {})).rejects.toThrow('The log is away');
  });
});
