import { type Decider, FootnoteError, type InvitationEvent, type Role } from '#contracts';

import { defineStream } from '../define-stream.js';

export interface IssueInvitation {
  readonly type: 'IssueInvitation';
  readonly data: {
    readonly invitation_id: string;
    readonly role: Role;
    readonly digest: string;
    readonly address: string | null;
    readonly fingerprint: string | null;
    /** ISO 8601 in UTC with milliseconds, so that texts sort by time. */
    readonly expires_at: string;
  };
}

/**
 * Accepts an invitation. The user id is derived from invitation and address, so a person's second
 * attempt repeats the first one.
 */
export interface AcceptInvitation {
  readonly type: 'AcceptInvitation';
  readonly data: {
    readonly user_id: string;
    readonly digest: string;
    readonly fingerprint: string;
    readonly now: string;
  };
}

export interface RevokeInvitation {
  readonly type: 'RevokeInvitation';
  readonly data: Readonly<Record<string, never>>;
}

export type InvitationCommand = IssueInvitation | AcceptInvitation | RevokeInvitation;

type Issued = IssueInvitation['data'];

export type InvitationState =
  | { readonly status: 'absent' }
  | (Issued & { readonly status: 'open' })
  | (Issued & { readonly status: 'accepted'; readonly user_id: string })
  | (Issued & { readonly status: 'revoked' });

/** Stream `invitation-<id>`: it can be accepted once, and this stream decides by which person. */
export const invitationDecider: Decider<InvitationCommand, InvitationState, InvitationEvent> = {
  initial: { status: 'absent' },
  decide,
  evolve,
};

export const invitationStreams = defineStream({
  pattern: 'invitation-<invitation_id>',
  decider: invitationDecider,
  commands: { IssueInvitation: true, AcceptInvitation: true, RevokeInvitation: true },
  events: { InvitationIssued: true, InvitationAccepted: true, InvitationRevoked: true },
});

/**
 * @throws FootnoteError `invitation_not_found` if it is not open; `invitation_closed` if an
 * accepted one is to be revoked.
 */
function decide(command: InvitationCommand, state: InvitationState): readonly InvitationEvent[] {
  switch (command.type) {
    case 'IssueInvitation':
      return state.status === 'absent' ? [{ type: 'InvitationIssued', data: command.data }] : [];
    case 'AcceptInvitation': {
      const { user_id, digest, fingerprint, now } = command.data;
      if (state.status === 'absent' || state.digest !== digest) throw notOpen();
      if (state.status === 'accepted' && state.user_id === user_id) return [];
      if (state.status !== 'open' || now >= state.expires_at) throw notOpen();
      if (state.fingerprint !== null && state.fingerprint !== fingerprint) throw notOpen();
      return [
        { type: 'InvitationAccepted', data: { invitation_id: state.invitation_id, user_id } },
      ];
    }
    case 'RevokeInvitation':
      if (state.status === 'absent')
        throw new FootnoteError('invitation_not_found', 'Invitation not found');
      if (state.status === 'accepted') {
        throw new FootnoteError(
          'invitation_closed',
          'The invitation is already accepted; remove the member instead',
        );
      }
      if (state.status === 'revoked') return [];
      return [{ type: 'InvitationRevoked', data: { invitation_id: state.invitation_id } }];
  }
}

/** Returns the same error for every reason, so that a link does not reveal its history. */
function notOpen(): FootnoteError {
  return new FootnoteError(
    'invitation_not_found',
    'The invitation is unknown, used, expired, or for another address',
  );
}

function evolve(state: InvitationState, event: InvitationEvent): InvitationState {
  switch (event.type) {
    case 'InvitationIssued':
      return state.status === 'absent' ? { status: 'open', ...event.data } : state;
    case 'InvitationAccepted':
      return state.status === 'open'
        ? { ...state, status: 'accepted', user_id: event.data.user_id }
        : state;
    case 'InvitationRevoked':
      return state.status === 'open' ? { ...state, status: 'revoked' } : state;
    default:
      return state;
  }
}
