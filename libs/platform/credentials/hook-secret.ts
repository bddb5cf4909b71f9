import { randomBytes } from 'node:crypto';

/**
 * Returns a new secret for push hooks: `whsec_` and 32 random bytes in base64. GitHub, Gitea and
 * GitLab accept it as a secret token, and GitLab accepts this form as a signing token.
 */
export function newHookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
