import { Inject, Injectable } from '@nestjs/common';

import type { InvitationStatus, InvitationView } from '#contracts/http/index';
import { CLOCK, type Clock, KEY_RING, type KeyRing, type Sealed } from '#platform';
import type { InvitationsRow } from '#read-model';

import { ERASED } from '../people/accounts/personal-text.js';

/** Invitations as owners see them. */
@Injectable()
export class InvitationViews {
  constructor(
    @Inject(KEY_RING) private readonly keyRing: KeyRing,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The address is of nobody with an account yet: it is sealed with the tenant's key alone. */
  sealAddress(tenantId: string, invitationId: string, address: string): Promise<string> {
    return this.keyRing.seal(tenantId, contextOf(invitationId), address);
  }

  async of(row: Omit<InvitationsRow, 'position'>): Promise<InvitationView> {
    const { tenant_id, invitation_id: id, address } = row;
    const opened =
      address === null
        ? null
        : await this.keyRing.open(tenant_id, contextOf(id), address as Sealed);
    return {
      id,
      role: row.role,
      email: address === null ? null : (opened ?? ERASED),
      status: this.statusOf(row),
      created_at: row.created_at,
      expires_at: row.expires_at,
      accepted_by: row.accepted_by,
    };
  }

  private statusOf(
    row: Pick<InvitationsRow, 'accepted_at' | 'revoked_at' | 'expires_at'>,
  ): InvitationStatus {
    if (row.accepted_at !== null) return 'accepted';
    if (row.revoked_at !== null) return 'revoked';
    return Date.parse(row.expires_at) <= this.clock.now().getTime() ? 'expired' : 'open';
  }
}

function contextOf(invitationId: string): string {
  return `invitation-${invitationId}/address`;
}
