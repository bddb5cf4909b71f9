import { FootnoteError, validationFailed } from '#contracts';

/**
 * The policy's version as an ETag: the revision of its stream, `"0"` while nobody has changed it.
 */
export function policyEtag(revision: bigint | 'none'): string {
  return `"${revision === 'none' ? 0n : revision + 1n}"`;
}

/**
 * RFC 9110: the text between the quotes is opaque, so a tag that this endpoint never sent simply
 * does not match.
 */
const ENTITY_TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const ENTITY_TAGS = new RegExp(`^\\s*${ENTITY_TAG}(?:\\s*,\\s*${ENTITY_TAG})*\\s*$`);

/**
 * @throws FootnoteError `policy_changed` when `If-Match` names other versions alone;
 * `validation_failed` when it names none.
 */
export function requireMatch(ifMatch: string | undefined, revision: bigint | 'none'): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  if (!ENTITY_TAGS.test(ifMatch)) {
    throw validationFailed([
      {
        field: 'If-Match',
        message: 'must be an ETag that this endpoint gave, in its quotes, or *',
      },
    ]);
  }
  const named: readonly string[] = ifMatch.match(new RegExp(ENTITY_TAG, 'g')) ?? [];
  if (!named.includes(policyEtag(revision))) {
    throw new FootnoteError(
      'policy_changed',
      'The policy has changed; read it again and repeat the request',
    );
  }
}
