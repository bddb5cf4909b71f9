import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

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
import type { EventStore } from '#event-store';
import { ApiHarness } from '#test/support/api/api-harness';
import { keysUsed } from '#test/support/api/keys-used';
import { readLog } from '#test/support/read-log';

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

  beforeAll(async () => {
    api = await ApiHarness.start({ between: faulty });
    await keysUsed(api);
  });
  beforeEach(() => {
    fault = null;
    alters = null;
  });
  afterAll(() => api.stop());

  const change = async (key = api.keyA) => {
    const body = { staleness_budget_seconds: 3_600 + Math.floor(performance.now() * 1_000) };
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
    await change();
    for (const step of ['before', 'after'] as const) {
      fault = step;
      await api.call('POST', '/audit/checkpoints');
      await Promise.all([sign(), sign()]);
      await change();
    }
    await sign();
    const events = (await readLog(api.store)).filter(({ type }) => type === 'CheckpointSigned');
    const sizes = events
      .filter(({ metadata }) => metadata.tenant_id === api.tenantA)
      .map(({ data }) => Number(data['size']));
    expect(sizes).toEqual([...new Set(sizes)].toSorted((left, right) => left - right));
    expect(sizes.length).toBeGreaterThan(3);
  });
});
