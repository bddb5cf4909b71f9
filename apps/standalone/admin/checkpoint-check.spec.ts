import { beforeEach, describe, expect, it } from '@jest/globals';

import type { AuditCheckpointEvent } from '#contracts';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { proposed, TENANT_A, TENANT_B } from '#test/support/sample-events';
import type { CheckpointKeeper } from '#transparency';

import { checkpointCheck } from './checkpoint-check.js';

const SIGNED_AT = '2026-01-01T00:00:00.000Z';
const WITNESS = 'witness.example';

describe("the doctor's check of signed checkpoints", () => {
  let store: MemoryEventStore;
  const keepers = [
    {
      name: WITNESS,
      isDone: ({ last, witnesses }: Parameters<CheckpointKeeper['isDone']>[0]) =>
        last === null || witnesses[WITNESS]?.cosigned === last.size,
    },
  ];
  const check = (minutes: number, erased: string | null = null) =>
    checkpointCheck({ store, keepers, now: new Date(Date.parse(SIGNED_AT) + minutes * 60_000) }, [
      { id: TENANT_A, erasure_requested_at: erased },
      { id: TENANT_B, erasure_requested_at: null },
    ]);
  const add = (event: AuditCheckpointEvent) => {
    const { tenant_id } = event.data;
    const metadata = { tenant_id, occurred_at: SIGNED_AT };
    store.record(`checkpoint-${tenant_id}`, proposed(event, metadata));
  };
  const sign = (tenant_id: string, size: number) => {
    const data = { tenant_id, size, root: 'a'.repeat(64), key_id: '00000001', checkpoint: 'n' };
    add({ type: 'CheckpointSigned', data });
  };
  const cosign = (tenant_id: string, size: number) => {
    const data = { tenant_id, size, witness: WITNESS, cosignature: '— w AQ==' };
    add({ type: 'CheckpointCosigned', data });
  };
  const refuse = (tenant_id: string, size: number) => {
    const data = { tenant_id, size, witness: WITNESS, reason: 'other_history' as const };
    add({ type: 'CheckpointRefused', data });
  };

  beforeEach(() => {
    store = new MemoryEventStore();
  });

  it('passes tenants without a checkpoint, and those whose witness has the newest one', async () => {
    expect(await check(60)).toMatchObject({ state: 'ok' });
    sign(TENANT_A, 5);
    cosign(TENANT_A, 5);
    expect(await check(60)).toEqual({
      name: 'signed checkpoints',
      state: 'ok',
      detail: 'newest checkpoints of 1 tenants, 1 witnesses and buckets',
    });
  });

  it('warns of the tenant whose newest checkpoint the witness lacks after ten minutes', async () => {
    sign(TENANT_A, 5);
    cosign(TENANT_A, 5);
    sign(TENANT_A, 7);
    sign(TENANT_B, 3);
    cosign(TENANT_B, 3);
    expect(await check(10)).toMatchObject({ state: 'ok' });
    const { state, detail } = await check(11);
    expect(state).toBe('warning');
    expect(detail).toContain(`not copied: ${TENANT_A} (${WITNESS}, 7 records, ${SIGNED_AT})`);
    expect(detail).not.toContain(TENANT_B);
    expect(await check(11, SIGNED_AT)).toMatchObject({ state: 'ok' });
  });

  it('fails for a refusal, names its tenant, and passes when the witness cosigns', async () => {
    sign(TENANT_B, 3);
    refuse(TENANT_B, 3);
    const { state, detail } = await check(0);
    expect(state).toBe('failed');
    expect(detail).toMatch(new RegExp(`refused by a witness, .*: ${TENANT_B} \\(`));
    expect(detail).not.toContain('not copied');
    cosign(TENANT_B, 3);
    expect(await check(60)).toMatchObject({ state: 'ok' });
  });
});
