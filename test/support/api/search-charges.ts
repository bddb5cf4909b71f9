import { quotaStream } from '#apps/api/quota/quota-ledger';

import type { ApiHarness } from './api-harness.js';

/** Returns the number of searches that a tenant was charged. */
export async function searchCharges(api: ApiHarness, tenant: string): Promise<number> {
  let charges = 0;
  for await (const { type } of api.store.read(quotaStream(tenant, 'search')))
    if (type === 'QuotaConsumed') charges += 1;
  return charges;
}
