import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { TABLE_PROJECTIONS } from '#apps/projector/projections/projections';
import { POLICY_DEFAULTS, type RecordedEvent } from '#contracts';
import type { ListSourcesQuery } from '#contracts/http/index';
import { readEvent } from '#event-store';
import { seeded } from '#platform';
import { type SourcesRow, sourceView } from '#read-model';
import type { ApiKeysRow } from '#read-model/tables/api-keys.table';
import type { PoliciesRow } from '#read-model/tables/policies.table';
import type { UsersRow } from '#read-model/tables/users.table';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { recordMixedHistory } from '#test/support/mixed-history';
import { ProjectorHarness } from '#test/support/projector-harness';
import { openTestReadModel, type TestReadModel } from '#test/support/read-models';

import { AuditedEvents } from '../audit/audited-events.js';
import { Projected } from '../write/projected.js';
import { Moments } from './moments.js';
import { PastKeys } from './past-keys.js';
import { PastMembers } from './past-members.js';
import { PastPolicies } from './past-policies.js';
import { PastSources } from './past-sources.js';

const EVENTS = 1_500;
const MOMENTS = 1_000;
const TENANTS = ['tenant-a', 'tenant-b'] as const;
/** After the history, so that none of its moments is in the future. */
const NOW = new Date('2027-01-01T00:00:00.000Z');

/** A table projection that is folded in memory and stops at any event. */
class FreshProjection<Row> {
  private readonly rows = new Map<string, Row>();
  private readonly projection;

  constructor(name: string) {
    const projection = TABLE_PROJECTIONS.find((each) => each.name === name);
    if (!projection) throw new Error(`No projection ${name}`);
    this.projection = projection;
  }

  apply(recorded: RecordedEvent): void {
    const event = readEvent(recorded);
    if (!event || !this.projection.handles.includes(event.type)) return;
    const key = JSON.stringify(this.projection.keyOf(event));
    const row = this.projection.evolve(this.rows.get(key) as never, event) as Row | undefined;
    if (row === undefined) this.rows.delete(key);
    else this.rows.set(key, row);
  }

  /** Rows of a tenant, the oldest first. */
  of(tenantId: string): Row[] {
    const own = [...this.rows.values()].filter(
      (row) => (row as { tenant_id: string }).tenant_id === tenantId,
    );
    const place = (row: Row) => (row as { position?: string }).position ?? '';
    return own.sort((a, b) => (place(a) < place(b) ? -1 : 1));
  }
}

describe('state as of a moment', () => {
  let opened: TestReadModel;
  let fixture: ProjectorHarness;
  /** Events of each tenant, by seq. */
  const trails = new Map<string, readonly RecordedEvent[]>();
  let moments: Moments;
  let sources: PastSources;
  let keys: PastKeys;
  let members: PastMembers;
  let policies: PastPolicies;

  beforeAll(async () => {
    opened = await openTestReadModel();
    fixture = new ProjectorHarness(opened.readModel);
    const history = new MemoryEventStore();
    recordMixedHistory(history, EVENTS, 11);
    // The clock of the log steps back by ten seconds now and then.
    for (const [at, event] of history.events.entries()) {
      const recordedAt = new Date(event.recordedAt.getTime() - (at % 40 < 5 ? 10_000 : 0));
      fixture.store.put({ ...event, recordedAt });
    }
    for (const tenant of TENANTS) {
      const own = history.events.filter(({ metadata }) => metadata.tenant_id === tenant);
      trails.set(tenant, own);
    }
    await fixture.project(500);
    const { store, readModel } = fixture;
    const events = new AuditedEvents(store);
    const clock = { now: () => NOW, monotonic: () => 0 };
    moments = new Moments(readModel, clock, new Projected(readModel, store), events);
    sources = new PastSources(readModel, events);
    keys = new PastKeys(readModel, events);
    members = new PastMembers(readModel, events);
    policies = new PastPolicies(store, readModel);
  });
  afterAll(() => opened.close());

  it('is found by time as by record, although the clock of the log steps back', async () => {
    const random = seeded(5);
    const recorded = fixture.store.events.map(({ recordedAt }) => recordedAt.getTime());
    for (let round = 0; round < MOMENTS; round += 1) {
      const tenant = TENANTS[round % 2] ?? TENANTS[0];
      const near = recorded[Math.floor(random() * recorded.length)] ?? 0;
      const at = new Date(near + (round % 3) - 1);
      let newest = 0;
      let records = 0;
      for (const { position } of trails.get(tenant) ?? []) {
        const event = fixture.store.events[Number(position)];
        newest = Math.max(newest, event?.recordedAt.getTime() ?? 0);
        if (newest <= at.getTime()) records += 1;
      }
      const { seq } = await moments.at(tenant, { at: at.toISOString() });
      expect([at, seq]).toEqual([at, records === 0 ? null : records - 1]);
    }
  });

  it.each(TENANTS)(
    `equals a fresh projection that stops there, at ${MOMENTS / 2} moments of %s`,
    async (tenant) => {
      const trail = trails.get(tenant) ?? [];
      const random = seeded(7);
      const seqs = Array.from({ length: MOMENTS / 2 - 2 }, () =>
        Math.floor(random() * trail.length),
      );
      seqs.push(0, trail.length - 1);
      seqs.sort((a, b) => a - b);
      const fresh = {
        sources: new FreshProjection<SourcesRow>('sources'),
        keys: new FreshProjection<ApiKeysRow>('api_keys'),
        users: new FreshProjection<UsersRow>('users'),
        policies: new FreshProjection<PoliciesRow>('policies'),
      };
      const seen = { sources: 0, syncing: 0, keys: 0, members: 0, changed: 0 };
      let applied = 0;
      for (const seq of seqs) {
        for (; applied <= seq; applied += 1)
          for (const projection of Object.values(fresh)) {
            const event = trail[applied];
            if (event) projection.apply(event);
          }
        const moment = await moments.at(tenant, { seq });
        const page: ListSourcesQuery = { skip: 0, limit: 100 };

        const views = fresh.sources
          .of(tenant)
          .filter(({ audience }) => audience.kind === 'tenant')
          .map((row) => ({
            ...sourceView({ ...row, doc_urls: null }, new Map()),
            sync_message: null,
          }))
          .reverse();
        const listed = await sources.list(tenant, moment, page);
        expect([seq, listed]).toEqual([seq, { sources: views.slice(0, 100), total: views.length }]);
        const syncing = views.filter(({ status }) => status === 'syncing');
        const [first] = views;
        // These read every source again, so a part of the moments must do.
        if (seq % 8 === 0 && first) {
          const one = { ...page, limit: 1, status: 'syncing' } as const;
          expect(await sources.list(tenant, moment, one)).toEqual({
            sources: syncing.slice(0, 1),
            total: syncing.length,
          });
          expect(await sources.get(tenant, moment, first.id)).toEqual(first);
        }

        const issued = fresh.keys.of(tenant).reverse();
        expect(await keys.list(tenant, moment)).toEqual(
          issued.map((key) => ({
            id: key.key_id,
            name: key.name,
            prefix: key.prefix,
            scopes: key.scopes,
            created_at: key.created_at,
            expires_at: key.expires_at,
            revoked_at: key.revoked_at,
            last_used_at: key.last_used_at,
          })),
        );
        const people = fresh.users
          .of(tenant)
          .filter(({ role }) => role !== null)
          .reverse();
        expect(await members.list(tenant, moment)).toEqual(
          people.map(({ user_id, address, display_name, created_at, role }) => ({
            user_id,
            address,
            display_name,
            created_at,
            role,
          })),
        );
        const [policy] = fresh.policies.of(tenant);
        expect(await policies.at(tenant, moment)).toEqual({
          settings: policy?.settings ?? POLICY_DEFAULTS,
          revision: policy?.revision ?? null,
          changedAt: policy?.updated_at ?? null,
        });
        seen.sources += views.length;
        seen.syncing += syncing.length;
        seen.keys += issued.length;
        seen.members += people.length;
        seen.changed += policy ? 1 : 0;
      }
      for (const [kind, count] of Object.entries(seen))
        expect([kind, count > 0]).toEqual([kind, true]);
    },
    600_000,
  );

  it('is empty before the first record, and shows nothing of another tenant', async () => {
    const before = { seq: null };
    const page: ListSourcesQuery = { skip: 0, limit: 100 };
    expect(await sources.list('tenant-a', before, page)).toEqual({ sources: [], total: 0 });
    expect(await keys.list('tenant-a', before)).toEqual([]);
    expect(await members.list('tenant-a', before)).toEqual([]);
    const now = await moments.at('tenant-a', {});
    const foreign = await sources.list('tenant-b', await moments.at('tenant-b', {}), page);
    for (const { id } of foreign.sources) {
      expect(await sources.get('tenant-a', now, id)).toBeUndefined();
      expect(await sources.existed('tenant-a', now, id)).toBe(false);
    }
    expect(foreign.sources.length).toBeGreaterThan(0);
  });
});
