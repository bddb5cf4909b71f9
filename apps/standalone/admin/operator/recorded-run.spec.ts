import { beforeEach, describe, expect, it } from '@jest/globals';

import { SYSTEM_TENANT } from '#contracts';
import { type Sealed, systemClock } from '#platform';
import { MemoryEventStore } from '#test/support/memory-event-store';
import { proposed } from '#test/support/sample-events';

import { thisOperator } from './operator.js';
import { operatorReasonContext, recordedRun } from './recorded-run.js';

const TENANT = '0190b5e4-7b1d-7000-8000-00000000000a';
const ERASED = '0190b5e4-7b1d-7000-8000-00000000000b';

describe('the recorded run of a command', () => {
  let store: MemoryEventStore;
  let isFailing: boolean;
  const keyRing = {
    seal: async (tenantId: string, context: string, text: string) =>
      `${tenantId}/${context}/${text}` as Sealed,
  };

  beforeEach(() => {
    store = new MemoryEventStore();
    isFailing = false;
    for (const tenant_id of [TENANT, ERASED]) {
      const created = { tenant_id, name: 'Team' };
      store.record(
        `tenant-${tenant_id}`,
        proposed({ type: 'TenantCreated', data: created }, { tenant_id }),
      );
    }
    const erasure = { tenant_id: ERASED, reason: 'owner_request' } as const;
    store.record(
      `tenant-${ERASED}`,
      proposed({ type: 'TenantErasureRequested', data: erasure }, { tenant_id: ERASED }),
    );
  });

  function run<T>(work: () => Promise<T>, tenantId: string | null = null, reason?: string) {
    const eventStore = Object.assign(Object.create(store) as MemoryEventStore, {
      append: async (...append: Parameters<MemoryEventStore['append']>) => {
        if (isFailing) throw new Error('The disk is full');
        return store.append(...append);
      },
    });
    const act = { command: 'issue-key', operator: thisOperator(reason), tenantId };
    return recordedRun({ eventStore, keyRing, clock: systemClock }, act, work);
  }
  const recorded = () =>
    store.events
      .filter(({ stream }) => stream.startsWith('operator-'))
      .map(({ type, metadata, data }) => [type, metadata.tenant_id, data['tenant_id'] ?? null]);

  it('is a start and an end for the operator, and a start for the tenant that it names', async () => {
    expect(await run(() => Promise.resolve(7), TENANT, 'Lost key')).toBe(7);
    expect(recorded()).toEqual([
      ['OperatorCommandStarted', SYSTEM_TENANT, TENANT],
      ['OperatorCommandStarted', TENANT, TENANT],
      ['OperatorCommandCompleted', SYSTEM_TENANT, null],
    ]);
    const [own, theirs, end] = store.events.slice(-3);
    const runId = String(own?.data['run_id']);
    const place = operatorReasonContext(runId);
    expect(own?.data['reason']).toBe(`${SYSTEM_TENANT}/${place}/Lost key`);
    expect(theirs?.data).toMatchObject({ run_id: runId, reason: `${TENANT}/${place}/Lost key` });
    expect(end).toMatchObject({
      data: { run_id: runId },
      metadata: {
        correlation_id: runId,
        actor: { type: 'operator', id: thisOperator().user, name: 'issue-key' },
      },
    });
  });

  it.each([
    ['an unknown tenant', '0190b5e4-7b1d-7000-8000-00000000000c', null],
    ['a reserved tenant', SYSTEM_TENANT, null],
    ['a tenant that is being erased', ERASED, ERASED],
  ])('adds nothing to the trail of %s', async (_, tenantId, named) => {
    await run(() => Promise.resolve(), tenantId);
    expect(recorded()).toEqual([
      ['OperatorCommandStarted', SYSTEM_TENANT, named],
      ['OperatorCommandCompleted', SYSTEM_TENANT, null],
    ]);
  });

  it('records a failure, and passes its error on', async () => {
    await expect(run(() => Promise.reject(new Error('Tenant not found')))).rejects.toThrow(
      'Tenant not found',
    );
    expect(recorded().map(([type]) => type)).toEqual([
      'OperatorCommandStarted',
      'OperatorCommandFailed',
    ]);
  });

  it('does nothing if the log does not record its start', async () => {
    isFailing = true;
    let hasRun = false;
    const work = async (): Promise<void> => void (hasRun = true);
    await expect(run(work)).rejects.toThrow(
      'issue-key did nothing, because the event log did not record it: ',
    );
    expect([hasRun, recorded()]).toEqual([false, []]);
  });

  it('fails if the log does not record its end', async () => {
    const work = async (): Promise<void> => void (isFailing = true);
    await expect(run(work)).rejects.toThrow(
      'issue-key was carried out, but the event log did not record its end: ',
    );
  });

  it.each([' ', 'x'.repeat(501)])('rejects the reason "%s"', (reason) => {
    expect(() => thisOperator(reason)).toThrow('Reason must');
  });
});
