import { ApiProperty } from '@nestjs/swagger';

import { type Role, ROLES } from '../events/members.events.js';
import { Email } from './validation/email.js';
import { GivenPassword, NewPassword } from './validation/password.js';
import { Clearable } from './validation/rule.js';
import { Optional } from './validation/rule.js';
import { Choice, Text } from './validation/text.js';

export class RegisterBody {
  /** Signs in with it; the same address in another case is the same address. */
  @Email()
  email: string;

  @NewPassword()
  password: string;

  /** Name of the tenant that is made. */
  @Text({ max: 100, kind: 'name' })
  @ApiProperty({ example: 'Acme' })
  tenant_name: string;
}

/** The ways to sign in to this service. */
export class SignInMethodsView {
  /** True if `POST /auth/login` accepts passwords. */
  @ApiProperty({ example: true })
  password: boolean;
  /** True if `POST /auth/register` creates tenants. */
  @ApiProperty({ example: true })
  registration: boolean;
  /** True if `GET /auth/oidc/login` leads to an identity provider. */
  @ApiProperty({ example: false })
  provider: boolean;
}

export class LoginBody {
  @Email()
  email: string;

  @GivenPassword()
  password: string;
}

export class UpdateMeBody {
  /** The person's name as others see it; null for none. */
  @Clearable()
  @Text({ max: 100, kind: 'name' })
  display_name?: string | null;
}

export class ChangePasswordBody {
  @GivenPassword()
  current_password: string;

  @NewPassword()
  new_password: string;
}

/** The signed-in person and the session. */
export class MeView {
  id: string;
  email: string;
  @ApiProperty({ type: String, nullable: true })
  display_name: string | null;
  @ApiProperty({ enum: [...ROLES] })
  role: Role;
  tenant_id: string;
  tenant_name: string;
  /** The value that unsafe requests with this session's cookie send as `X-CSRF-Token`. */
  csrf_token: string;
  /** Latest end of the session; it ends earlier after an hour without a request. */
  @ApiProperty({ format: 'date-time' })
  session_ends_at: string;
}

export class MemberView {
  user_id: string;
  /** `[erased]` where the keys that it was sealed with are gone. */
  email: string;
  @ApiProperty({ type: String, nullable: true })
  display_name: string | null;
  @ApiProperty({ enum: [...ROLES] })
  role: Role;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
}

export class MemberList {
  members: MemberView[];
  total: number;
}

export class ChangeRoleBody {
  /** The member's new role. */
  @Choice(...ROLES)
  role: Role;
}

export class InviteBody {
  /** The role of the person who accepts. */
  @Choice(...ROLES)
  role: Role;

  /** The only address that may accept; without it everyone who has the link may. */
  @Optional()
  @Email()
  email?: string;
}

const INVITATION_STATUSES = ['open', 'accepted', 'revoked', 'expired'] as const;
export type InvitationStatus = (typeof INVITATION_STATUSES)[number];

export class InvitationView {
  id: string;
  @ApiProperty({ enum: [...ROLES] })
  role: Role;
  /** Null: everyone who has the link may accept. */
  @ApiProperty({ type: String, nullable: true })
  email: string | null;
  @ApiProperty({ enum: [...INVITATION_STATUSES] })
  status: InvitationStatus;
  @ApiProperty({ format: 'date-time' })
  created_at: string;
  @ApiProperty({ format: 'date-time' })
  expires_at: string;
  /** Id of the member that it made; null before. */
  @ApiProperty({ type: String, nullable: true })
  accepted_by: string | null;
}

/**
 * A new invitation. Its token is shown here and never again; a repeated request with the same
 * Idempotency-Key leaves it out.
 */
export class IssuedInvitationView extends InvitationView {
  /** Goes into the one-time link. */
  @ApiProperty({ required: false, example: 'fni_019bc0de5c1e7d529f0a3a8f6f0f9a11_Jf0v…' })
  token?: string;
}

export class InvitationList {
  invitations: InvitationView[];
  total: number;
}

export class AcceptInvitationBody {
  /** The token of the link. */
  @Text({ max: 200, kind: 'name' })
  token: string;

  /** The new account's address. */
  @Email()
  email: string;

  @NewPassword()
  password: string;
}
