import { beforeEach, describe, expect, it } from '@jest/globals';

import type { AuditCheckpointCommand } from '#domain';
import { auditCheckpointDecider } from '#domain';
import type { RecordedDomainEvent } from '#event-store';
import { type Clock, silentLogger } from '#platform';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { proposed, TENANT_A, TENANT_B } from '#test/support/sample-events';
import type { CheckpointKeeper } from '#transparency';

import { CheckpointDelivery } from './checkpoint-delivery.js';

describe('the delivery of checkpoints', () => {
  let now: number;
  let store: MemoryEventStore;
  let reactor: CheckpointDelivery;
  let away: Set<string>;
  let asked: string[];
  const clock: Clock = { now: () => new Date(now), monotonic: () => now };
  const signal = new AbortController().signal;

  const take = (type: RecordedDomainEvent['type'], data: object, tenant_id: string) => {
    const event = { type, data } as Parameters<typeof proposed>[0];
    const metadata = { tenant_id, occurred_at: clock.now().toISOString() };
    const recorded = store.record(`checkpoint-${tenant_id}`, proposed(event, metadata));
    return reactor.apply(recorded as RecordedDomainEvent);
  };
  const sign = (tenant_id: string, size: number) => {
    const data = { tenant_id, size, root: 'a'.repeat(64), key_id: '00000001', checkpoint: 'n' };
    return take('CheckpointSigned', data, tenant_id);
  };
  const witness = (name: string): CheckpointKeeper => ({
    name,
    isDone: ({ last, witnesses }) => last === null || witnesses[name]?.cosigned === last.size,
    keep: ({ tenant_id, size }) => {
      asked.push(`${name} ${tenant_id === TENANT_A ? 'A' : 'B'} ${size}`);
      if (away.has(name)) return Promise.reject(new Error('away'));
      const data = { tenant_id, size, witness: name, cosignature: '— w AQ==' };
      const command: AuditCheckpointCommand = { type: 'RecordCosignature', data };
      return Promise.resolve(command);
    },
  });

  beforeEach(() => {
    now = 0;
    away = new Set();
    asked = [];
    store = new MemoryEventStore();
    reactor = new CheckpointDelivery({
      clock,
      logger: silentLogger,
      keepers: [witness('one'), witness('two')],
      signer: {
        record: (tenantId, _context, command) => {
          const state = auditCheckpointDecider.initial;
          const size = 'size' in command.data ? command.data.size : 0;
          const last = { tenant_id: tenantId, size, root: '', key_id: '', checkpoint: '' };
          for (const { type, data } of auditCheckpointDecider.decide(command, { ...state, last }))
            take(type, data, tenantId);
          return Promise.resolve(null as never);
        },
      },
    });
  });

  it('hands each newest checkpoint to each keeper once, and asks to run at once for it', async () => {
    expect(sign(TENANT_A, 5)).toBe(true);
    sign(TENANT_B, 6);
    await reactor.run({ signal });
    await reactor.run({ signal });
    expect(asked.toSorted()).toEqual(['one A 5', 'one B 6', 'two A 5', 'two B 6']);
  });

  it('lets no keeper wait for one that is away, which gets only the newest later', async () => {
    away.add('one');
    sign(TENANT_A, 5);
    await reactor.run({ signal });
    expect(asked).toEqual(['one A 5', 'two A 5']);
    expect([reactor.failingKeepers, reactor.uncopied]).toEqual([['one'], 1]);
    sign(TENANT_A, 7);
    await reactor.run({ signal });
    expect(asked.slice(2)).toEqual(['two A 7']);
    away.clear();
    now += 600_000;
    await reactor.run({ signal });
    expect(asked.slice(3)).toEqual(['one A 7']);
    expect([reactor.failingKeepers, reactor.uncopied]).toEqual([[], 0]);
  });

  it('hands over nothing of an erased tenant, and continues from its snapshot', async () => {
    sign(TENANT_A, 5);
    sign(TENANT_B, 6);
    const data = { tenant_id: TENANT_B, reason: 'owner_request' };
    take('TenantErasureRequested', data, TENANT_B);
    const lines = [...reactor.state.save()].map((line) => JSON.stringify(line));
    reactor.state.clear();
    for (const line of lines) reactor.state.load(JSON.parse(line));
    await reactor.run({ signal });
    expect(asked.toSorted()).toEqual(['one A 5', 'two A 5']);
  });
});
