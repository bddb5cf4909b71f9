import { isReservedTenant } from '#contracts';
import { invitationDecider, tenantDecider } from '#domain';
import { commandContext, type EventStore, foldStream, handleCommand } from '#event-store';
import { type Clock, uuidv7 } from '#platform';

import type { OperatorOrigin } from '../tenants/create-tenant.js';
import { INVITATION_LASTS_MS, newInvitationToken, tokenDigest } from './invitation-token.js';

/** An invitation as the operator hands it over. */
export interface OwnerInvitation {
  readonly tenantId: string;
  readonly token: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/**
 * Invites an owner into a tenant that has none, or whose owners are out of reach. Everyone who has
 * the token can make an account by `POST /auth/accept`.
 *
 * @throws Error when there is no such tenant.
 */
export async function inviteOwner(
  store: EventStore,
  clock: Clock,
  tenantId: string,
  by: OperatorOrigin,
): Promise<OwnerInvitation> {
  if (isReservedTenant(tenantId))
    throw new Error(`Nobody is invited into the reserved tenant ${tenantId}`);
  const tenant = await foldStream(store, tenantDecider, `tenant-${tenantId}`);
  if (tenant.state.status === 'absent') throw new Error(`There is no tenant ${tenantId}`);
  if (tenant.state.status !== 'active') throw new Error(`Tenant ${tenantId} was erased`);
  const id = uuidv7();
  const token = newInvitationToken(id);
  const expires_at = new Date(clock.now().getTime() + INVITATION_LASTS_MS).toISOString();
  const invitation = {
    invitation_id: id,
    role: 'owner' as const,
    digest: tokenDigest(token),
    expires_at,
  };
  const data = { ...invitation, address: null, fingerprint: null };
  await handleCommand({
    store,
    decider: invitationDecider,
    stream: `invitation-${id}`,
    expected: 'new',
    decide: (state) => invitationDecider.decide({ type: 'IssueInvitation', data }, state),
    context: commandContext(clock, { ...by, tenant_id: tenantId }),
    clock,
  });
  return { tenantId, token, expiresAt: expires_at };
}
