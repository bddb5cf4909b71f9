import type { EventStore } from '#event-store';
import { type Clock, FIRST_TENANT_ID } from '#platform';

import { BOOTSTRAP } from '../tenants/create-tenant.js';
import { invitationLink } from './invitation-link.js';
import { inviteOwner } from './invite-owner.js';

/** Invites the owner of the first tenant and returns the one-time link for a browser. */
export async function firstOwnerLink(
  store: EventStore,
  clock: Clock,
  serviceUrl: string,
): Promise<string> {
  const { token } = await inviteOwner(store, clock, FIRST_TENANT_ID, BOOTSTRAP);
  return invitationLink(serviceUrl, token);
}
