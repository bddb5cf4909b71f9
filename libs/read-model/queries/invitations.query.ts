import type { EntityManager } from 'typeorm';

import { type InvitationsRow, invitationsTable } from '../tables/invitations.table.js';
import type { Page } from './page.js';

/**
 * Returns every invitation of the tenant, including closed ones, newest first; addresses are
 * sealed.
 */
export async function listInvitations(
  manager: EntityManager,
  tenantId: string,
  { skip, limit }: Page,
): Promise<{ invitations: InvitationsRow[]; total: number }> {
  const [invitations, total] = await manager.findAndCount(invitationsTable.entity, {
    where: { tenant_id: tenantId },
    order: { position: 'DESC' },
    skip,
    take: limit,
  });
  return { invitations, total };
}
