/**
 * Whom the requests of a tenant are counted as: all its keys together, or a plan would grow with
 * the number of keys.
 */
export function requestsOf(tenantId: string): string {
  return `tenant:${tenantId}`;
}
