import { randomBytes } from 'node:crypto';

/**
 * A new secret for push hooks: `whsec_` and 32 random bytes in base64. As it stands it is a secret
 * for GitHub, Gitea and GitLab's token, and in this form GitLab takes it as a signing token.
 */
export function newHookSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}
