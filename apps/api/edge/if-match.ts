import { validationFailed } from '#contracts';

/**
 * RFC 9110: the text between the quotes is opaque, so a tag that this endpoint never sent simply
 * does not match.
 */
const ENTITY_TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const ENTITY_TAGS = new RegExp(`^\\s*${ENTITY_TAG}(?:\\s*,\\s*${ENTITY_TAG})*\\s*$`);

/** Returns the ETag of a resource that an event of the given revision changed last; null: none. */
export function versionEtag(revision: bigint | number | null): string {
  return `"${revision === null ? 0n : BigInt(revision) + 1n}"`;
}

/**
 * Returns whether `If-Match` allows a change of the resource with this ETag.
 * @throws FootnoteError `validation_failed` if it is no list of entity tags.
 */
export function namesVersion(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  if (!ENTITY_TAGS.test(ifMatch)) {
    throw validationFailed([
      {
        field: 'If-Match',
        message: 'must be an ETag that this endpoint gave, in its quotes, or *',
      },
    ]);
  }
  const named: readonly string[] = ifMatch.match(new RegExp(ENTITY_TAG, 'g')) ?? [];
  return named.includes(etag);
}
