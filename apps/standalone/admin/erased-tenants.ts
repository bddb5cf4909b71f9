import type { EventStore } from '#event-store';

/** The tenants that the log says are erased, everything of theirs destroyed. */
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
