import { FootnoteError } from '#contracts';

import { validationFailed } from '../edge/strict-validation.pipe.js';

/** The policy's version as an ETag: the revision of its stream, `"0"` while nobody has changed it. */
export function policyEtag(revision: bigint | 'none'): string {
  return `"${revision === 'none' ? 0n : revision + 1n}"`;
}

/** @throws FootnoteError `policy_changed` when `If-Match` names another version. */
export function requireMatch(ifMatch: string | undefined, revision: bigint | 'none'): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const named = ifMatch.split(',').map((tag) => tag.trim());
  if (!named.every((tag) => /^(W\/)?"\d{1,19}"$/.test(tag))) {
    throw validationFailed([{ field: 'If-Match', message: 'must be an ETag that this endpoint gave' }]);
  }
  if (!named.includes(policyEtag(revision))) {
    throw new FootnoteError('policy_changed', 'The policy was changed since; read it again');
  }
}
