import type { EntityManager } from 'typeorm';

import { type ConversationsRow, conversationsTable } from '../tables/conversations.table.js';
import type { Page } from './page.js';

/** Returns the conversations of one person, newest first. */
export async function listConversations(
  manager: EntityManager,
  tenantId: string,
  { userId, skip, limit }: Page & { readonly userId: string },
): Promise<{ conversations: ConversationsRow[]; total: number }> {
  const [conversations, total] = await manager.findAndCount(conversationsTable.entity, {
    where: { tenant_id: tenantId, user_id: userId },
    order: { position: 'DESC' },
    skip,
    take: limit,
  });
  return { conversations, total };
}
