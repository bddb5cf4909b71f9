import type { Role } from '#contracts';
import { emailProblem } from '#contracts/http/validation/email';
import { textProblem } from '#contracts/http/validation/text';
import type { IdentitySettings } from '#platform';

import { claimAt } from './provider/claim-at.js';
import type { PersonClaims } from './provider/identity-provider.port.js';

/** A person as the provider describes them. */
export interface ProvidedPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Null if the provider sends no address that it vouches for, or no possible address. */
  readonly address: string | null;
  readonly displayName: string | null;
  /** Null: refused. */
  readonly role: Role | null;
}

/** The same limits as when members change these fields. */
const MAX_NAME = 100;
const MAX_ADDRESS = 254;

/** Reads a person out of claims that are proven, as far as they can be used. */
export function providedPerson(claims: PersonClaims, settings: IdentitySettings): ProvidedPerson {
  const { iss: issuer, sub: subject } = claims;
  return {
    issuer,
    subject,
    address: addressOf(claims, settings),
    displayName: nameOf(claims),
    role: roleOf(claims, settings),
  };
}

/** Some providers write truth as text. */
function addressOf(claims: PersonClaims, { trustEmail }: IdentitySettings): string | null {
  const { email, email_verified: verified } = claims;
  const isDenied = verified === false || verified === 'false';
  const isVouchedFor = verified === true || verified === 'true' || (trustEmail && !isDenied);
  if (typeof email !== 'string' || !isVouchedFor) return null;
  const address = email.trim();
  return textProblem(address, { max: MAX_ADDRESS, kind: 'name' }) === null &&
    emailProblem(address) === null
    ? address
    : null;
}

function nameOf({ name }: PersonClaims): string | null {
  return textProblem(name, { max: MAX_NAME, kind: 'name' }) === null ? (name as string) : null;
}

/** Returns whether claims contain the role claim, with any value. */
export function hasRoleClaim(claims: PersonClaims, { roleClaim }: IdentitySettings): boolean {
  return roleClaim !== undefined && claimAt(claims, roleClaim) !== undefined;
}

/** Returns the role of the first configured value that the person has; null for none. */
export function roleOf(
  claims: PersonClaims,
  { roleClaim, roles, defaultRole }: IdentitySettings,
): Role | null {
  const reported = roleClaim === undefined ? undefined : claimAt(claims, roleClaim);
  const values = new Set(Array.isArray(reported) ? reported : [reported]);
  return roles.find(({ value }) => values.has(value))?.role ?? defaultRole;
}
