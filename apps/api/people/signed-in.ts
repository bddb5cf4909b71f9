import type { Caller } from '../auth/caller.js';
import { unauthorized } from '../auth/credentials.js';
import type { UserPrincipal } from '../auth/principal.js';

/**
 * The person that a caller is. @throws FootnoteError `unauthorized` for any other: the guard lets
 * none through.
 */
export function signedIn({ principal }: Caller): UserPrincipal {
  if (principal?.kind !== 'user') throw unauthorized();
  return principal;
}
