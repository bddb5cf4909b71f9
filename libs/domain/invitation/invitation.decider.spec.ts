import { describe, it } from '@jest/globals';

import type { InvitationEvent } from '#contracts';
import { specify } from '#test/support/decider-spec';

import { invitationDecider } from './invitation.decider.js';

const { given } = specify(invitationDecider);
const digest = 'd'.repeat(64);
const data = {
  invitation_id: 'i1',
  role: 'member' as const,
  digest,
  address: null,
  fingerprint: null,
  expires_at: '2026-01-08T00:00:00.000Z',
};
const issued: InvitationEvent = { type: 'InvitationIssued', data };
const accepted: InvitationEvent = {
  type: 'InvitationAccepted',
  data: { invitation_id: 'i1', user_id: 'u1' },
};
const revoked: InvitationEvent = { type: 'InvitationRevoked', data: { invitation_id: 'i1' } };
const accept = (
  overrides: { user_id?: string; digest?: string; fingerprint?: string; now?: string } = {},
) =>
  ({
    type: 'AcceptInvitation',
    data: {
      user_id: 'u1',
      digest,
      fingerprint: 'f'.repeat(64),
      now: '2026-01-07T23:59:59.999Z',
      ...overrides,
    },
  }) as const;
const revoke = { type: 'RevokeInvitation', data: {} } as const;

describe('an invitation', () => {
  it('is accepted once; a second acceptance by the same person changes nothing', () => {
    given(issued).when(accept()).then(accepted);
    given(issued, accepted).when(accept()).thenNothingHappened();
    given(issued, accepted)
      .when(accept({ user_id: 'u2' }))
      .thenRefused('invitation_not_found');
  });

  it('requires its token, and rejects it after expiry', () => {
    given(issued)
      .when(accept({ digest: 'e'.repeat(64) }))
      .thenRefused('invitation_not_found');
    given(issued)
      .when(accept({ now: data.expires_at }))
      .thenRefused('invitation_not_found');
    given(issued, accepted)
      .when(accept({ digest: 'e'.repeat(64) }))
      .thenRefused('invitation_not_found');
    given().when(accept()).thenRefused('invitation_not_found');
  });

  it('for an address is accepted by that address alone', () => {
    const forOne: InvitationEvent = {
      type: 'InvitationIssued',
      data: { ...data, address: 's', fingerprint: 'a'.repeat(64) },
    };
    given(forOne).when(accept()).thenRefused('invitation_not_found');
    given(forOne)
      .when(accept({ fingerprint: 'a'.repeat(64) }))
      .then(accepted);
  });

  it('cannot be accepted after it was revoked, nor revoked after it was accepted', () => {
    given(issued).when(revoke).then(revoked);
    given(issued, revoked).when(revoke).thenNothingHappened();
    given(issued, revoked).when(accept()).thenRefused('invitation_not_found');
    given(issued, accepted).when(revoke).thenRefused('invitation_closed');
    given().when(revoke).thenRefused('invitation_not_found');
  });
});
