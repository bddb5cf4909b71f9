/**
 * Returns the subject that requests of a tenant count for. All its keys share it; otherwise a plan
 * would grow with the number of keys.
 */
export function requestsOf(tenantId: string): string {
  return `tenant:${tenantId}`;
}
