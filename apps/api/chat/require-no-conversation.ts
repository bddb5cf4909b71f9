import { FootnoteError } from '#contracts';
import type { ChatBody } from '#contracts/http/index';

/** Conversations belong to people. @throws FootnoteError `sign_in_required` for a request that names one. */
export function requireNoConversation({ conversation_id }: Readonly<ChatBody>): void {
  if (conversation_id === undefined) return;
  throw new FootnoteError('sign_in_required', 'A conversation belongs to a signed-in person; an API key has none');
}
