import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { DomainEvent } from '#contracts';
import type { CheckpointView, TrailVerification } from '#contracts/http/index';
import type { EventStore } from '#event-store';
import { asProjector, auditRecordsTable, liveVersion, versionTable } from '#read-model';
import { ApiHarness } from '#test/support/api/api-harness';
import { keysUsed } from '#test/support/api/keys-used';
import { midHourClock } from '#test/support/api/mid-hour-clock';

/** Records of one request. */
const SLICE = 1_000;
const BATCH = 100;

describe('breaks of a trail of more than one slice', () => {
  let api: ApiHarness;
  let signed: CheckpointView;
  /** Id of an event that the log no longer has. */
  let lost: string | null = null;

  const losing = (log: EventStore): EventStore =>
    new Proxy(log, {
      get(target, name) {
        if (name === 'read') {
          return async function* read(...given: Parameters<EventStore['read']>) {
            for await (const event of target.read(...given)) if (event.id !== lost) yield event;
          };
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
      },
    });

  beforeAll(async () => {
    api = await ApiHarness.start({ between: losing, clock: midHourClock() });
    await keysUsed(api);
    for (let count = 0; count < SLICE + BATCH; count += BATCH) {
      const events = Array.from({ length: BATCH }, (_, at): DomainEvent => {
        const changes = { staleness_budget_seconds: 1_000 + count + at };
        return { type: 'PolicyUpdated', data: { changes } };
      });
      await api.append(api.tenantA, `policy-${api.tenantA}`, ...events);
    }
    signed = (await api.call<CheckpointView>('POST', '/audit/checkpoints')).body;
  });
  afterAll(() => api.stop());

  const verify = async (from = 0, key = api.keyA) => {
    const path = `/audit/verify?from_seq=${from}`;
    return (await api.call<TrailVerification>('GET', path, undefined, { key })).body;
  };
  /** Changes the rows of tenant A as an intruder would. */
  const alter = (change: string, condition: string) =>
    asProjector(api.readModel.dataSource, async (manager) => {
      const live = await liveVersion(manager, 'audit_records');
      const table = versionTable(auditRecordsTable, live?.version ?? 1);
      const where = `where tenant_id = $1 and ${condition}`;
      await manager.query(`update ${table} set ${change} ${where}`, [api.tenantA]);
    });
  /** Moves rows away, as if they were deleted, and back. */
  const without = async <T>(condition: string, work: () => Promise<T>): Promise<T> => {
    const away = `${api.tenantA}-away`;
    await alter(`tenant_id = '${away}'`, condition);
    try {
      return await work();
    } finally {
      await asProjector(api.readModel.dataSource, async (manager) => {
        const live = await liveVersion(manager, 'audit_records');
        const table = versionTable(auditRecordsTable, live?.version ?? 1);
        await manager.query(`update ${table} set tenant_id = $1 where tenant_id = $2`, [
          api.tenantA,
          away,
        ]);
      });
    }
  };
  const broken = (seq: number, kind: string) => ({ valid: false, first_break: { seq, kind } });

  it('finds none in either slice, and continues where the first one ended', async () => {
    const first = await verify();
    expect(first).toMatchObject({ valid: true, checked: SLICE, continue_from: SLICE });
    const second = await verify(SLICE);
    expect(second).toMatchObject({ valid: true, continue_from: null, first_break: null });
    expect(SLICE + second.checked).toBe((second.head_seq ?? 0) + 1);
    expect(signed.size).toBeGreaterThan(SLICE + 1);
  });

  it('finds a missing record', async () => {
    await without('seq = 40', async () => expect(await verify()).toMatchObject(broken(40, 'seq')));
  });

  it('finds an event that the log lost', async () => {
    const [event] = (
      await api.call<{ events: { id: string; seq: number }[] }>(
        'GET',
        '/audit/events?action=policy.updated&order=asc&limit=1',
      )
    ).body.events;
    lost = event?.id ?? null;
    expect(await verify()).toMatchObject(broken(event?.seq ?? -1, 'event'));
    lost = null;
  });

  it.each(['actor_id', 'request_id'])('finds a changed %s', async (column) => {
    await alter(`changes = to_jsonb(${column})`, 'seq = 50');
    await alter(`${column} = 'someone'`, 'seq = 50');
    expect(await verify()).toMatchObject(broken(50, 'record'));
    await alter(`${column} = changes #>> '{}', changes = null`, 'seq = 50');
    expect(await verify()).toMatchObject({ valid: true });
  });

  it('finds a missing record of the newest tile, and signs nothing then', async () => {
    const seq = signed.size - 2;
    await without(`seq = ${seq}`, async () => {
      expect(await verify(SLICE)).toMatchObject({ ...broken(seq, 'seq'), head_hash: null });
      expect(await verify()).toMatchObject({ valid: true, head_hash: null });
      expect(await api.call('POST', '/audit/checkpoints')).toMatchObject({
        status: 409,
        body: { code: 'audit_trail_altered' },
      });
    });
  });

  it('finds a changed hash of a subtree', async () => {
    const root = Buffer.alloc(32, 1).toString('base64');
    await alter(`changes = subtrees`, 'seq = 255');
    await alter(`subtrees = '["${root}"]'`, 'seq = 255');
    expect(await verify()).toMatchObject(broken(255, 'subtree'));
    await alter(`subtrees = changes, changes = null`, 'seq = 255');
    expect(await verify()).toMatchObject({ valid: true });
  });

  it('finds a break at the first record of the second slice there alone', async () => {
    await without(`seq = ${SLICE}`, async () => {
      expect(await verify()).toMatchObject({ valid: true, continue_from: SLICE });
      expect(await verify(SLICE)).toMatchObject(broken(SLICE, 'seq'));
    });
  });

  it('finds that the end of the trail is missing', async () => {
    await without(`seq >= ${signed.size - 1}`, async () => {
      expect(await verify(SLICE)).toMatchObject(broken(signed.size - 1, 'truncated'));
    });
    expect(await verify(SLICE)).toMatchObject({ valid: true });
  });

  it('finds none in the trail of another tenant at the same time', async () => {
    await without('seq = 40', async () =>
      expect(await verify(0, api.keyB)).toMatchObject({ valid: true }),
    );
  });
});
