import { type ErrorCode, FootnoteError } from '#contracts';
import { isUuid } from '#platform';

type NotFoundCode = Extract<
  ErrorCode,
  | 'source_not_found'
  | 'job_not_found'
  | 'key_not_found'
  | 'receipt_not_found'
  | 'package_not_found'
  | 'package_link_not_found'
  | 'member_not_found'
  | 'invitation_not_found'
  | 'conversation_not_found'
>;

const NAMES: Readonly<Record<NotFoundCode, string>> = {
  source_not_found: 'Source',
  job_not_found: 'Job',
  key_not_found: 'API key',
  receipt_not_found: 'Receipt',
  package_not_found: 'Package',
  package_link_not_found: 'Package link',
  member_not_found: 'Member',
  invitation_not_found: 'Invitation',
  conversation_not_found: 'Conversation',
};

/** The one answer to an id that is unknown, malformed or another tenant's. */
export function notFound(code: NotFoundCode, id: string): FootnoteError {
  const shown = /^[\x21-\x7e]{1,64}$/.test(id) ? ` ${id}` : '';
  return new FootnoteError(code, `${NAMES[code]}${shown} not found`);
}

/**
 * Lets only well-formed ids into stream names and queries. @throws FootnoteError as for an unknown
 * id.
 */
export function requireId(code: NotFoundCode, id: string): string {
  if (!isUuid(id)) throw notFound(code, id);
  return id;
}
