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

  it('never has a reserved id', () => {
    for (const tenant_id of [PUBLIC_TENANT, SYSTEM_TENANT]) {
      given()
        .when({ type: 'CreateTenant', data: { tenant_id, name: 'Acme' } })
        .thenRefused('validation_failed');
    }
  });
});
