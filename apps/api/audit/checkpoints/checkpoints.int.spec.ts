import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { rotateAuditKey } from '#apps/standalone/admin/rotate-audit-key';
import { parseVerifierKey, verifyCheckpoint } from '#audit';
import { verifyConsistency, verifyInclusion } from '#audit/tree/verify-proof';
import type {
  AuditConsistencyView,
  AuditKeyList,
  AuditProofView,
  CheckpointList,
  CheckpointVerification,
  CheckpointView,
  TrailVerification,
} from '#contracts/http/index';
import { commandContext, type EventStore } from '#event-store';
import { type KeyRing, systemClock } from '#platform';
import { ApiHarness } from '#test/support/api/api-harness';
import { keysUsed } from '#test/support/api/keys-used';
import { midHourClock } from '#test/support/api/mid-hour-clock';
import { operatorRun } from '#test/support/operator-run';
import { readLog } from '#test/support/read-log';
import { createTransparency } from '#transparency';

describe('signed checkpoints of a tenant', () => {
  let api: ApiHarness;
  /** Fault of the next append to a stream of checkpoints. */
  let fault: 'before' | 'after' | null = null;
  /** Makes the log return another event than it stored. */
  let alters: ((stream: string) => boolean) | null = null;

  const faulty = (log: EventStore): EventStore =>
    new Proxy(log, {
      get(target, name) {
        if (name === 'append') {
          return async (...[stream, events, expected]: Parameters<EventStore['append']>) => {
            const due = stream.startsWith('checkpoint-') ? fault : null;
            if (due) fault = null;
            if (due === 'before') throw new Error('process ended before the append');
            const result = await target.append(stream, events, expected);
            if (due === 'after') throw new Error('process ended after the append');
            return result;
          };
        }
        if (name === 'read') {
          return async function* read(...[stream, options]: Parameters<EventStore['read']>) {
            for await (const event of target.read(stream, options))
              yield alters?.(stream) ? { ...event, data: { ...event.data, altered: true } } : event;
          };
        }
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
      },
    });

  /** Fault of the next use of the key ring for a signing key. */
  let keyFault: 'seal' | 'open' | null = null;
  const faultyKeys = (ring: KeyRing): KeyRing =>
    new Proxy(ring, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          if (name === keyFault && String(given[1]).startsWith('checkpoint-')) {
            keyFault = null;
            return Promise.reject(new Error(`process ended before ${name}`));
          }
          return Reflect.apply(value, target, given);
        };
      },
    });
  /** Another process with the same engines: nothing in its memory. */
  const otherProcess = () =>
    createTransparency({
      store: api.store,
      readModel: api.readModel,
      keyRing: api.keyRing,
      clock: systemClock,
      settings: { witnesses: [], copies: undefined },
    }).signer;

  beforeAll(async () => {
    api = await ApiHarness.start({
      between: faulty,
      sealedBy: faultyKeys,
      clock: midHourClock(),
    });
    await keysUsed(api);
  });
  beforeEach(() => {
    fault = null;
    keyFault = null;
    alters = null;
  });
  afterAll(() => api.stop());

  let changes = 0;
  const change = async (key = api.keyA) => {
    changes += 1;
    const body = { staleness_budget_seconds: 3_600 + changes };
    expect((await api.call('PUT', '/policy', body, { key })).status).toBe(200);
  };
  const get = async <Body>(path: string, key = api.keyA) => {
    const { status, body, text } = await api.call<Body>('GET', path, undefined, { key });
    expect([status, text]).toEqual([200, expect.any(String)]);
    return body;
  };
  const sign = async (key = api.keyA) => {
    const answer = await api.call<CheckpointView>('POST', '/audit/checkpoints', undefined, { key });
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body;
  };
  const kept = (checkpoint: string, key = api.keyA) =>
    api.call<CheckpointVerification>('POST', '/audit/verify', { checkpoint }, { key });
  const bytes = (hex: string) => Buffer.from(hex, 'hex');

  it('signs the head with a published key, and only if something came since', async () => {
    await change();
    const first = await sign();
    expect(await sign()).toEqual(first);
    const { keys } = await get<AuditKeyList>('/audit/keys');
    expect(keys).toMatchObject([{ id: first.key_id, current: true }]);
    const key = parseVerifierKey(keys[0]?.key ?? '');
    expect(key && verifyCheckpoint(first.checkpoint, [key])).toMatchObject({ size: first.size });
    await change();
    const second = await sign();
    expect(second.size).toBeGreaterThan(first.size);
    const list = await get<CheckpointList>('/audit/checkpoints?limit=1');
    expect(list).toEqual({ checkpoints: [second], next: second.size });
    const rest = await get<CheckpointList>(`/audit/checkpoints?before=${list.next}`);
    expect(rest).toEqual({ checkpoints: [first], next: null });
    expect(await get('/audit/checkpoints', api.keyB)).toEqual({ checkpoints: [], next: null });
    expect(await get('/audit/keys', api.keyB)).toEqual({ keys: [] });
  });

  it('proves each record, and that a checkpoint begins a later one', async () => {
    const first = await sign();
    await change();
    const second = await sign();
    for (let seq = 0; seq < second.size; seq += 1) {
      const view = await get<AuditProofView>(`/audit/proof?seq=${seq}&size=${second.size}`);
      const { size, leaf, root, proof } = view;
      expect(root).toBe(second.root);
      const claim = { index: seq, size, leaf: bytes(leaf), root: bytes(root) };
      expect(verifyInclusion({ ...claim, proof: proof.map(bytes) })).toBe(true);
    }
    const view = await get<AuditConsistencyView>(
      `/audit/consistency?from=${first.size}&to=${second.size}`,
    );
    expect([view.from_root, view.to_root]).toEqual([first.root, second.root]);
    const { from, to, proof } = view;
    const roots = { fromRoot: bytes(view.from_root), toRoot: bytes(view.to_root) };
    expect(verifyConsistency({ from, to, ...roots, proof: proof.map(bytes) })).toBe(true);
  });

  it('rejects records and sizes that the trail does not have', async () => {
    for (const path of ['proof?seq=99999', 'proof?seq=0&size=99999', 'consistency?from=99999'])
      expect(await api.call('GET', `/audit/${path}`)).toMatchObject({
        status: 400,
        body: { code: 'validation_failed' },
      });
  });

  it('verifies the whole trail in slices, and checkpoints that the caller kept', async () => {
    const signed = await sign();
    const whole = await get<TrailVerification>('/audit/verify');
    expect(whole).toMatchObject({ valid: true, first_break: null, continue_from: null });
    expect(whole.checked).toBe((whole.head_seq ?? 0) + 1);
    const part = await get<TrailVerification>('/audit/verify?from_seq=1&to_seq=2');
    expect(part).toMatchObject({ valid: true, checked: 2, continue_from: null });
    expect((await kept(signed.checkpoint)).body).toMatchObject({ valid: true, kind: null });
    expect((await kept('no note')).body).toMatchObject({ valid: false, kind: 'checkpoint' });
    const foreign = (await kept(signed.checkpoint, api.keyB)).body;
    expect(foreign).toMatchObject({ valid: false, kind: 'signature' });
  });

  it('finds an event that the log no longer has as it was', async () => {
    alters = (stream) => stream === `policy-${api.tenantA}`;
    const { valid, first_break } = await get<TrailVerification>('/audit/verify');
    expect([valid, first_break?.kind]).toEqual([false, 'hash']);
    expect(await get<TrailVerification>('/audit/verify', api.keyB)).toMatchObject({ valid: true });
  });

  it('never signs two heads of one size, whichever step fails', async () => {
    const signs = (tenant_id: string) =>
      otherProcess().sign(
        tenant_id,
        commandContext(systemClock, { tenant_id, actor: { type: 'system', id: 'test' } }),
      );
    const faults: readonly (() => void)[] = [
      () => (keyFault = 'seal'),
      () => (keyFault = 'open'),
      () => (fault = 'before'),
      () => (fault = 'after'),
    ];
    for (const [tenantId, key] of [
      [api.tenantA, api.keyA],
      [api.tenantB, api.keyB],
    ] as const) {
      for (const inject of faults) {
        await change(key);
        inject();
        await api.call('POST', '/audit/checkpoints', undefined, { key });
        // The process that failed, and two others that start then.
        await Promise.all([sign(key), sign(key), signs(tenantId), signs(tenantId)]);
      }
      const events = (await readLog(api.store)).filter(
        ({ type, metadata }) => type === 'CheckpointSigned' && metadata.tenant_id === tenantId,
      );
      const sizes = events.map(({ data }) => Number(data['size']));
      expect(sizes).toEqual([...new Set(sizes)].toSorted((left, right) => left - right));
      expect(sizes.length).toBeGreaterThanOrEqual(faults.length);
      expect(await get<TrailVerification>('/audit/verify', key)).toMatchObject({ valid: true });
      expect((await get<AuditKeyList>('/audit/keys', key)).keys).toHaveLength(1);
    }
  });

  it('signs with a new key after a rotation, and still verifies earlier checkpoints', async () => {
    await change();
    const before = await sign();
    const config = { audit: { checkpointMinutes: 60, witnesses: [], copies: undefined } };
    const { store: eventStore, readModel, keyRing } = api;
    const rotated = await rotateAuditKey(
      { eventStore, readModel, keyRing, clock: systemClock, config },
      api.tenantA,
      operatorRun('rotate-audit-key'),
    );
    await change();
    const after = await sign();
    const { keys } = await get<AuditKeyList>('/audit/keys');
    expect(keys.map(({ id, current }) => [id, current])).toEqual([
      [before.key_id, false],
      [after.key_id, true],
    ]);
    expect(keys[1]?.key).toBe(rotated.key);
    for (const { checkpoint } of [before, after])
      expect((await kept(checkpoint)).body).toMatchObject({ valid: true });
    expect(await get<TrailVerification>('/audit/verify')).toMatchObject({ valid: true });
    await expect(
      rotateAuditKey(
        { eventStore, readModel, keyRing, clock: systemClock, config },
        'unknown',
        operatorRun('rotate-audit-key'),
      ),
    ).rejects.toMatchObject({ code: 'not_found' });
  });

  it('pages through many checkpoints in both directions of their stream', async () => {
    const sizes: number[] = [];
    for (let count = 0; count < 6; count += 1) {
      await change();
      sizes.unshift((await sign()).size);
    }
    const listed: number[] = [];
    for (let before: number | null = Number.MAX_SAFE_INTEGER; before !== null;) {
      const page: CheckpointList = await get(`/audit/checkpoints?limit=2&before=${before}`);
      listed.push(...page.checkpoints.map(({ size }) => size));
      before = page.next;
    }
    expect(listed.slice(0, sizes.length)).toEqual(sizes);
    expect(listed).toEqual([...new Set(listed)].toSorted((left, right) => right - left));
    for (const size of listed) {
      const { checkpoints } = await get<CheckpointList>(`/audit/checkpoints?before=${size + 1}`);
      expect(checkpoints[0]?.size).toBe(size);
    }
    expect((await get<CheckpointList>('/audit/checkpoints?before=0')).checkpoints).toEqual([]);
  });
});
