import { isReservedTenant } from '#contracts';
import { invitationDecider, tenantDecider } from '#domain';
import { foldStream, handleCommand, type EventStore } from '#event-store';
import { uuidv7, type Clock } from '#platform';

import { INVITATION_LASTS_MS, newInvitationToken, tokenDigest } from './invitation-token.js';

const DEADLINE_MS = 10_000;

/** An invitation as the operator hands it over. */
export interface OwnerInvitation {
  readonly tenantId: string;
  readonly token: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/**
 * Invites an owner into a tenant that has none, or whose owners are out of reach: whoever has the token makes an account by
 * `POST /auth/accept`. @throws Error when there is no such tenant.
 */
export async function inviteOwner(store: EventStore, clock: Clock, tenantId: string): Promise<OwnerInvitation> {
  if (isReservedTenant(tenantId)) throw new Error(`Nobody is invited into the reserved tenant ${tenantId}`);
  const tenant = await foldStream(store, tenantDecider, `tenant-${tenantId}`);
  if (tenant.state.status === 'absent') throw new Error(`There is no tenant ${tenantId}`);
  if (tenant.state.status !== 'active') throw new Error(`Tenant ${tenantId} was erased`);
  const [id, commandId, now] = [uuidv7(), uuidv7(), clock.now()];
  const token = newInvitationToken(id);
  const expires_at = new Date(now.getTime() + INVITATION_LASTS_MS).toISOString();
  const invitation = { invitation_id: id, role: 'owner' as const, digest: tokenDigest(token), expires_at };
  const data = { ...invitation, address: null, fingerprint: null };
  await handleCommand({
    store,
    decider: invitationDecider,
    stream: `invitation-${id}`,
    expected: 'new',
    decide: (state) => invitationDecider.decide({ type: 'IssueInvitation', data }, state),
    context: {
      commandId,
      metadata: {
        tenant_id: tenantId,
        actor: { type: 'operator', id: 'tenant-invite' },
        correlation_id: commandId,
        causation_id: commandId,
        occurred_at: now.toISOString(),
      },
      deadline: clock.monotonic() + DEADLINE_MS,
    },
    clock,
  });
  return { tenantId, token, expiresAt: expires_at };
}
