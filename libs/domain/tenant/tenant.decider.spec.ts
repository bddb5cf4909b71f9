import { describe, it } from '@jest/globals';

import { PUBLIC_TENANT, SYSTEM_TENANT } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { tenantDecider } from './tenant.decider.js';

const { given } = specify(tenantDecider);
const created = { type: 'TenantCreated' as const, data: { tenant_id: 't1', name: 'Acme' } };

describe('tenant', () => {
  it('is created once', () => {
    given().when({ type: 'CreateTenant', data: created.data }).then(created);
    given(created)
      .when({ type: 'CreateTenant', data: { tenant_id: 't1', name: 'Other' } })
      .thenNothingHappened();
  });

  it('has the plan that was set last', () => {
    const changed = (plan: string) => ({
      type: 'TenantPlanChanged' as const,
      data: { tenant_id: 't1', plan },
    });
    const change = { type: 'ChangePlan' as const, data: { plan: 'team' } };
    given(created).when(change).then(changed('team'));
    given(created, changed('team')).when(change).thenNothingHappened();
    given(created, changed('team'), changed('small')).when(change).then(changed('team'));
    given().when(change).thenRefused('not_found');
  });

  it('never has a reserved id', () => {
    for (const tenant_id of [PUBLIC_TENANT, SYSTEM_TENANT]) {
      given()
        .when({ type: 'CreateTenant', data: { tenant_id, name: 'Acme' } })
        .thenRefused('validation_failed');
    }
  });

  it('is erased once, after its name is confirmed, and never returns', () => {
    const requested = {
      type: 'TenantErasureRequested' as const,
      data: { tenant_id: 't1', reason: 'owner_request' as const },
    };
    const destroyed = { sources: 2, jobs: 1, people: 1, generations: 3, blobs: 4, blob_bytes: 5 };
    const erased = { type: 'TenantErased' as const, data: { tenant_id: 't1', ...destroyed } };
    const ask = (confirm: string) =>
      ({ type: 'RequestErasure', data: { confirm, reason: 'owner_request' } }) as const;
    const complete = { type: 'CompleteErasure', data: destroyed } as const;

    for (const confirm of ['Acme', 't1']) given(created).when(ask(confirm)).then(requested);
    for (const confirm of ['', 'acme', 't2'])
      given(created).when(ask(confirm)).thenRefused('erasure_not_confirmed');
    given().when(ask('t1')).thenRefused('not_found');
    given(created, requested).when(ask('anything')).thenNothingHappened();
    given(created, requested).when(complete).then(erased);
    for (const command of [
      complete,
      ask('t1'),
      { type: 'CreateTenant', data: created.data } as const,
    ]) {
      given(created, requested, erased).when(command).thenNothingHappened();
    }
    given(created).when(complete).thenNothingHappened();
  });

  it('is not erased under legal hold, until the hold is released', () => {
    const data = { tenant_id: 't1', reason: 'sealed' };
    const set = { type: 'LegalHoldSet' as const, data };
    const released = { type: 'LegalHoldReleased' as const, data };
    const hold = { type: 'SetLegalHold', data: { reason: 'sealed' } } as const;
    const release = { type: 'ReleaseLegalHold', data: { reason: 'sealed' } } as const;
    const erase = {
      type: 'RequestErasure',
      data: { confirm: 't1', reason: 'owner_request' },
    } as const;
    const requested = {
      type: 'TenantErasureRequested' as const,
      data: { tenant_id: 't1', reason: 'owner_request' as const },
    };
    given(created).when(hold).then(set);
    given(created).when(release).thenNothingHappened();
    given(created, set).when(hold).then(set);
    given(created, set).when(erase).thenRefused('legal_hold');
    given(created, set).when(release).then(released);
    given(created, set, released).when(erase).then(requested);
    for (const command of [hold, release]) given().when(command).thenRefused('not_found');
    given(created, requested).when(hold).thenRefused('not_found');
  });

  it('is not erased if its id is reserved', () => {
    given({ type: 'TenantCreated', data: { tenant_id: PUBLIC_TENANT, name: 'Public' } })
      .when({
        type: 'RequestErasure',
        data: { confirm: PUBLIC_TENANT, reason: 'operator_request' },
      })
      .thenRefused('validation_failed');
  });
});
