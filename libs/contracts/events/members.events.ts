import { z } from 'zod';

import { digest, id, instant, sealedText } from '../fields.js';
import { defineEvent, type EventOf } from './define-event.js';

/**
 * The rights of a person in the tenant. `owner`: everything; `member`: read and write; `auditor`:
 * read, the audit trail included.
 */
export const ROLES = ['owner', 'member', 'auditor'] as const;
export type Role = (typeof ROLES)[number];
export const role = z.enum(ROLES);

/**
 * Stream `members-<tenant>`: who belongs to the tenant and as what. One stream, so that who is the
 * last owner is exact.
 */
export const memberJoined = defineEvent('MemberJoined', 1, z.object({ user_id: id, role }));
export const memberRoleChanged = defineEvent(
  'MemberRoleChanged',
  1,
  z.object({ user_id: id, role }),
);
export const memberRemoved = defineEvent('MemberRemoved', 1, z.object({ user_id: id }));

export const membersEvents = [memberJoined, memberRoleChanged, memberRemoved] as const;
export type MembersEvent = EventOf<(typeof membersEvents)[number]>;

/** Stream `invitation-<id>`. The link's token is never stored: only its SHA-256. */
export const invitationIssued = defineEvent(
  'InvitationIssued',
  1,
  z.object({
    invitation_id: id,
    role,
    digest,
    /**
     * The invited address, sealed with the tenant's key, and its fingerprint: only that address may
     * accept. Null: everyone who has the link may accept.
     */
    address: sealedText.nullable(),
    fingerprint: digest.nullable(),
    expires_at: instant,
  }),
);

export const invitationAccepted = defineEvent(
  'InvitationAccepted',
  1,
  z.object({ invitation_id: id, user_id: id }),
);
export const invitationRevoked = defineEvent(
  'InvitationRevoked',
  1,
  z.object({ invitation_id: id }),
);

export const invitationEvents = [invitationIssued, invitationAccepted, invitationRevoked] as const;
export type InvitationEvent = EventOf<(typeof invitationEvents)[number]>;
