/** Returns the sealing context of the reasons of a tenant's legal hold. */
export function holdReasonContext(tenantId: string): string {
  return `tenant-${tenantId}/legal_hold_reason`;
}
