import { type EntityManager, In, IsNull, Not } from 'typeorm';

import type { Role } from '#contracts';

import { type EndedSession, type UsersRow, usersTable } from '../tables/users.table.js';
import type { Page } from './page.js';

/** The data to check a session. */
export interface MemberOfTenant {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly role: Role;
  readonly session_epoch: number;
  readonly ended_sessions: readonly EndedSession[];
}

/** A member as stored: personal fields are sealed. */
export type SealedMember = Pick<UsersRow, 'user_id' | 'address' | 'display_name' | 'created_at'> & {
  readonly role: Role;
};

/** Returns the members of the tenant, newest first. */
export async function listMembers(
  manager: EntityManager,
  tenantId: string,
  { skip, limit }: Page,
): Promise<{ members: SealedMember[]; total: number }> {
  const [rows, total] = await manager.findAndCount(usersTable.entity, {
    where: { tenant_id: tenantId, role: Not(IsNull()) },
    order: { position: 'DESC' },
    skip,
    take: limit,
  });
  return { members: rows.flatMap((row) => sealedMember(row) ?? []), total };
}

export async function getMember(
  manager: EntityManager,
  tenantId: string,
  userId: string,
): Promise<SealedMember | null> {
  const row = await manager.findOneBy(usersTable.entity, { tenant_id: tenantId, user_id: userId });
  return row && sealedMember(row);
}

/** The members of all tenants. */
export async function listMembersOfTenants(manager: EntityManager): Promise<MemberOfTenant[]> {
  const rows = await manager.find(usersTable.entity, {
    where: { role: Not(IsNull()) },
    order: { position: 'ASC' },
  });
  return rows.flatMap(({ role, ...row }) => (role === null ? [] : [{ ...row, role }]));
}

/** Returns the members with these ids; ids without a member are left out. */
export async function membersByIds(
  manager: EntityManager,
  tenantId: string,
  userIds: readonly string[],
): Promise<SealedMember[]> {
  const rows = await manager.findBy(usersTable.entity, {
    tenant_id: tenantId,
    user_id: In([...userIds]),
  });
  return rows.flatMap((row) => sealedMember(row) ?? []);
}

function sealedMember({
  user_id,
  address,
  display_name,
  role,
  created_at,
}: UsersRow): SealedMember | null {
  return role === null ? null : { user_id, address, display_name, role, created_at };
}
