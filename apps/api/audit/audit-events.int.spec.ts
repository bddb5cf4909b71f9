import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { auditRecord, NO_LEAF } from '#audit';
import type { AuditEventList, AuditEventView, SourceView } from '#contracts/http/index';
import { ApiHarness, unknownId } from '#test/support/api/api-harness';
import { keysUsed } from '#test/support/api/keys-used';
import { midHourClock } from '#test/support/api/mid-hour-clock';
import { readLog } from '#test/support/read-log';

describe('GET /audit/events', () => {
  let api: ApiHarness;
  let source: SourceView;

  beforeAll(async () => {
    api = await ApiHarness.start({ clock: midHourClock() });
    await keysUsed(api);
    const body = { name: 'docs', source_type: 'repo', url: 'https://example.com/a.git' };
    source = (await api.call<SourceView>('POST', '/sources', body)).body;
    await api.call('PATCH', `/sources/${source.id}`, { name: 'Docs' });
    await api.call('PUT', '/policy', { staleness_budget_seconds: 7_200 });
    await api.call('PUT', '/policy', { staleness_budget_seconds: 3_600 });
    await api.call('PUT', '/policy', { staleness_budget_seconds: 60 }, { key: api.keyB });
  });
  afterAll(() => api.stop());

  const list = async (query = '', key = api.keyA) => {
    const answer = await api.call<AuditEventList>('GET', `/audit/events${query}`, undefined, {
      key,
    });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body;
  };
  const all = async (query = '', key = api.keyA) => {
    const records: AuditEventView[] = [];
    for (let after = ''; ;) {
      const { events, next } = await list(`?order=asc&limit=2${query}${after}`, key);
      records.push(...events);
      if (next === null) return records;
      after = `&after=${next}`;
    }
  };

  it('returns every event of the tenant once, numbered in log order, as a chain', async () => {
    for (const [tenant, key] of [
      [api.tenantA, api.keyA],
      [api.tenantB, api.keyB],
    ] as const) {
      // The first read of a filter adds its own record.
      await all('', key);
      const events = (await readLog(api.store)).filter(
        ({ metadata }) => metadata.tenant_id === tenant,
      );
      const records = await all('', key);
      expect(records.map(({ id }) => id)).toEqual(events.map(({ id }) => id));
      expect(records.map(({ seq }) => seq)).toEqual(events.map((_, seq) => seq));
      let previous = NO_LEAF;
      for (const [seq, event] of events.entries()) {
        const { hash } = auditRecord(event, { seq, prevHash: previous, changes: [] });
        expect(records[seq]).toMatchObject({ hash, prev_hash: previous });
        previous = hash;
      }
      const newest = (await list('?limit=100', key)).events;
      expect(newest).toEqual(records.toReversed());
    }
  });

  it('shows who changed what, before and after, and from where', async () => {
    const [last] = (await list('?action=policy.updated&limit=1')).events;
    expect(last).toMatchObject({
      action: 'policy.updated',
      type: 'PolicyUpdated',
      category: 'admin',
      outcome: 'success',
      actor: { type: 'api_key' },
      targets: [{ type: 'policy', id: api.tenantA }],
      changes: [{ field: 'staleness_budget_seconds', before: 7_200, after: 3_600 }],
      context: { method: 'PUT', path: '/policy', ip: expect.any(String) },
      stream: `policy-${api.tenantA}`,
      revision: 1,
    });
  });

  it.each([
    ['action=policy.*', ['policy.updated', 'policy.updated']],
    ['action=source.updated', ['source.updated']],
    ['category=admin&outcome=success&action=policy.*', ['policy.updated', 'policy.updated']],
    ['category=job&action=policy.*', []],
    ['actor_type=operator', []],
    ['action=job.failed', []],
  ])('filters by %s', async (query, actions) => {
    expect((await list(`?${query}`)).events.map(({ action }) => action)).toEqual(actions);
  });

  it('filters by target, actor, request and time', async () => {
    const target = await list(`?target_type=source&target_id=${source.id}&order=asc`);
    expect(target.events.map(({ action }) => action).slice(0, 1)).toEqual(['source.registered']);
    expect(target.events.map(({ action }) => action)).toContain('source.updated');
    const update = target.events.find(({ action }) => action === 'source.updated');
    const { actor, context, recorded_at = '' } = update ?? {};
    const byRequest = await list(`?request_id=${context?.request_id}`);
    expect(byRequest.events).toEqual([update]);
    const byActor = await list(`?actor_id=${actor?.id}&limit=100`);
    expect(byActor.events).toContainEqual(update);
    const at = encodeURIComponent(recorded_at);
    // Each new filter adds the record of its own read.
    const acts = async (filter: string) =>
      (await all(filter)).filter(({ action }) => action !== 'audit_trail.read');
    const records = await acts('');
    expect(await acts(`&from=${at}&to=${at}`)).toEqual(
      records.filter((record) => record.recorded_at === recorded_at),
    );
    expect(await acts(`&from=${at}`)).toEqual(
      records.filter((record) => record.recorded_at >= recorded_at),
    );
    expect(await acts('&to=9999-12-31T23:59:59.999Z')).toEqual(records);
    expect(await all('&to=2020-01-01T00:00:00Z')).toEqual([]);
    expect(await all('&from=9999-01-01T00:00:00Z')).toEqual([]);
  });

  it('returns one record by the id of its event, to its tenant alone', async () => {
    const [record] = (await list('?limit=1')).events;
    const path = `/audit/events/${record?.id}`;
    expect((await api.call('GET', path)).body).toEqual(record);
    const absent = { status: 404, body: { code: 'audit_event_not_found' } };
    expect(await api.call('GET', path, undefined, { key: api.keyB })).toMatchObject(absent);
    expect(await api.call('GET', `/audit/events/${unknownId()}`)).toMatchObject(absent);
    expect(await api.call('GET', '/audit/events/x')).toMatchObject(absent);
    const foreign = `?target_type=source&target_id=${source.id}`;
    expect((await list(foreign, api.keyB)).events).toEqual([]);
  });

  it.each([
    ['action=policy.nothing', 'action'],
    ['action=policy', 'action'],
    ['target_type=source', 'target_id'],
    ['target_id=x', 'target_type'],
    ['from=yesterday', 'from'],
    ['limit=101', 'limit'],
    ['order=newest', 'order'],
    ['after=-1', 'after'],
    ['category=other', 'category'],
  ])('rejects %s', async (query, field) => {
    const { status, body } = await api.call('GET', `/audit/events?${query}`);
    expect([status, body['code']]).toEqual([400, 'validation_failed']);
    expect(JSON.stringify(body['details'])).toContain(`"${field}"`);
  });

  it('shows no secret and no digest of one', async () => {
    const { body } = await api.call<{ key: string }>('POST', '/keys', { name: 'ci' });
    const { text } = await api.call('GET', '/audit/events?action=key.issued');
    expect(text).not.toContain(body.key);
    for (const event of await readLog(api.store))
      if (event.type === 'ApiKeyIssued') expect(text).not.toContain(event.data['digest']);
  });
});
