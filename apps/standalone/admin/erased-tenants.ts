import type { EventStore } from '#event-store';

/** Returns the tenants that are erased according to the log, with all their data destroyed. */
export async function erasedTenants(
  store: Pick<EventStore, 'subscribe'>,
): Promise<ReadonlySet<string>> {
  const tenants = new Set<string>();
  const ended = new AbortController();
  const options = {
    after: 'start',
    filter: { types: ['TenantErased'] },
    signal: ended.signal,
  } as const;
  for await (const delivery of store.subscribe(options)) {
    if (delivery.kind === 'caught-up') break;
    if (delivery.kind === 'event') tenants.add(delivery.event.metadata.tenant_id);
  }
  ended.abort();
  return tenants;
}
