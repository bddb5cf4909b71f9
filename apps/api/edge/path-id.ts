import { type ErrorCode, FootnoteError } from '#contracts';
import { isUuid } from '#platform';

/** Codes of missing resources; the name of the resource is part of the code. */
type NotFoundCode = Extract<ErrorCode, `${string}_not_found`>;

/** The one answer to an id that is unknown, malformed or another tenant's. */
export function notFound(code: NotFoundCode, id: string): FootnoteError {
  const shown = /^[\x21-\x7e]{1,64}$/.test(id) ? ` ${id}` : '';
  return new FootnoteError(code, `${resourceName(code)}${shown} not found`);
}

/**
 * Lets only well-formed ids into stream names and queries. @throws FootnoteError as for an unknown
 * id.
 */
export function requireId(code: NotFoundCode, id: string): string {
  if (!isUuid(id)) throw notFound(code, id);
  return id;
}

/** Returns the words of a code: `package_link_not_found` is about a `Package link`. */
function resourceName(code: NotFoundCode): string {
  if (code === 'key_not_found') return 'API key';
  const words = code.slice(0, -'_not_found'.length).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
