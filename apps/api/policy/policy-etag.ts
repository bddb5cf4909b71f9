import { FootnoteError } from '#contracts';

import { namesVersion, versionEtag } from '../edge/if-match.js';

/**
 * The policy's version as an ETag: the revision of its stream, `"0"` while nobody has changed it.
 */
export function policyEtag(revision: bigint | 'none'): string {
  return versionEtag(revision === 'none' ? null : revision);
}

/**
 * @throws FootnoteError `policy_changed` when `If-Match` names other versions alone;
 * `validation_failed` when it names none.
 */
export function requireMatch(ifMatch: string | undefined, revision: bigint | 'none'): void {
  if (namesVersion(ifMatch, policyEtag(revision))) return;
  throw new FootnoteError(
    'policy_changed',
    'The policy has changed; read it again and repeat the request',
  );
}
