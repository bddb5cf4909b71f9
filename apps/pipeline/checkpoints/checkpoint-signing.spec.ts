import { beforeEach, describe, expect, it } from '@jest/globals';

import { type DomainEvent, FootnoteError } from '#contracts';
import type { RecordedDomainEvent } from '#event-store';
import { type Clock, silentLogger } from '#platform';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { proposed, TENANT_A, TENANT_B } from '#test/support/sample-events';

import { checkpointHealth, describeCheckpoints } from './checkpoint-health.js';
import { CheckpointSigning } from './checkpoint-signing.js';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 1);

describe('the hourly signing of audit trails', () => {
  let now: number;
  let sizes: Map<string, number>;
  let signed: { tenantId: string; size: number }[];
  let fault: Error | null;
  let store: MemoryEventStore;
  let reactor: CheckpointSigning;
  const clock: Clock = { now: () => new Date(now), monotonic: () => now };
  const signal = new AbortController().signal;

  const take = (event: DomainEvent, tenant_id: string) => {
    const metadata = { tenant_id, occurred_at: clock.now().toISOString() };
    const recorded = store.record(`x-${tenant_id}`, proposed(event, metadata));
    reactor.apply(recorded as RecordedDomainEvent);
  };
  const create = (tenantId: string) =>
    take({ type: 'TenantCreated', data: { tenant_id: tenantId, name: 'T' } }, tenantId);

  const startReactor = (everyMs = HOUR) =>
    new CheckpointSigning({
      clock,
      logger: silentLogger,
      everyMs,
      trailSizes: (ids) => Promise.resolve(new Map(ids.map((id) => [id, sizes.get(id) ?? 0]))),
      signer: {
        sign: (tenantId, context) => {
          if (fault) return Promise.reject(fault);
          const size = sizes.get(tenantId) ?? 0;
          expect(context.metadata.tenant_id).toBe(tenantId);
          signed.push({ tenantId, size });
          const data = { tenant_id: tenantId, size, root: 'a'.repeat(64), key_id: '00000001' };
          take({ type: 'CheckpointSigned', data: { ...data, checkpoint: 'note' } }, tenantId);
          sizes.set(tenantId, size + 1);
          return Promise.resolve(null as never);
        },
      },
    });

  beforeEach(() => {
    now = START;
    sizes = new Map([
      [TENANT_A, 3],
      [TENANT_B, 5],
    ]);
    signed = [];
    fault = null;
    store = new MemoryEventStore();
    reactor = startReactor();
    create(TENANT_A);
    create(TENANT_B);
  });

  const runAt = async (time: number) => {
    now = time;
    await reactor.run({ signal });
  };

  it('signs each tenant an interval after its creation, and an interval after its checkpoint', async () => {
    await runAt(START + HOUR - 1);
    expect(signed).toEqual([]);
    await runAt(START + HOUR);
    expect(signed).toEqual([
      { tenantId: TENANT_A, size: 3 },
      { tenantId: TENANT_B, size: 5 },
    ]);
    sizes.set(TENANT_B, 9);
    await runAt(START + 2 * HOUR - 1);
    expect(signed).toHaveLength(2);
    await runAt(START + 2 * HOUR);
    expect(signed).toContainEqual({ tenantId: TENANT_B, size: 9 });
  });

  it('signs nothing for a trail that did not grow, and looks again after a minute', async () => {
    sizes.set(TENANT_A, 0);
    await runAt(START + HOUR);
    expect(signed.map(({ tenantId }) => tenantId)).toEqual([TENANT_B]);
    sizes.set(TENANT_A, 1);
    await runAt(START + HOUR + 60_000);
    expect(signed.at(-1)).toEqual({ tenantId: TENANT_A, size: 1 });
  });

  it('signs nothing by itself with an interval of 0, and nothing for an erased tenant', async () => {
    reactor = startReactor(0);
    create(TENANT_A);
    await runAt(START + 10 * HOUR);
    expect(signed).toEqual([]);
    reactor = startReactor();
    create(TENANT_A);
    const data = { tenant_id: TENANT_A, reason: 'owner_request' as const };
    take({ type: 'TenantErasureRequested', data }, TENANT_A);
    await runAt(START + 20 * HOUR);
    expect(signed).toEqual([]);
  });

  it('retries a failed signing, and reports trails that differ from their checkpoints', async () => {
    fault = new FootnoteError('audit_trail_altered', 'altered');
    await runAt(START + HOUR);
    expect([...reactor.altered]).toEqual([TENANT_A, TENANT_B]);
    fault = null;
    await runAt(START + HOUR + 59_999);
    expect(signed).toEqual([]);
    await runAt(START + HOUR + 60_000);
    expect(signed).toHaveLength(2);
    expect(reactor.altered.size).toBe(0);
  });

  it('reports the age of the last checkpoint by state, without names of tenants', async () => {
    const copies = { refused: [], failingKeepers: [], uncopied: 0 };
    const ages = (refused: readonly string[] = []) =>
      checkpointHealth(reactor, { ...copies, refused }, new Date(now)).ages_ms;
    expect(ages()).toEqual({ signed: null, failing: null, stopped: null });
    await runAt(START + HOUR);
    sizes.set(TENANT_A, 9);
    sizes.set(TENANT_B, 5);
    fault = new Error('the key ring is away');
    await runAt(START + 3 * HOUR);
    expect(ages()).toEqual({ signed: 2 * HOUR, failing: 2 * HOUR, stopped: null });
    expect(ages([TENANT_B])).toEqual({ signed: null, failing: 2 * HOUR, stopped: 2 * HOUR });
    fault = new FootnoteError('audit_trail_altered', 'altered');
    await runAt(now + 60_000);
    const health = checkpointHealth(reactor, { ...copies, refused: [TENANT_A] }, new Date(now));
    expect(health).toMatchObject({ altered_trails: 1, refused: 1 });
    expect(health.ages_ms).toMatchObject({ failing: null, stopped: 2 * HOUR + 60_000 });
    expect(JSON.stringify(health)).not.toContain(TENANT_A);
    expect(describeCheckpoints(health)).not.toContain(TENANT_A);
  });

  it('continues from its snapshot', async () => {
    await runAt(START + HOUR);
    const lines = [...reactor.state.save()];
    reactor = startReactor();
    for (const line of lines) reactor.state.load(JSON.parse(JSON.stringify(line)));
    await runAt(START + 2 * HOUR - 1);
    expect(signed).toHaveLength(2);
    await runAt(START + 2 * HOUR);
    expect(signed).toHaveLength(4);
  });
});
