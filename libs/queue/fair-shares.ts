export { FairShares, mostOf } from '#platform/concurrency/fair-shares';

/**
 * Returns the tenant of a message: the `tenant_id` of its body; messages without one share a name.
 */
export function tenantOf(body: unknown): string {
  const tenant: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'tenant_id') : undefined;
  return typeof tenant === 'string' ? tenant : '';
}
