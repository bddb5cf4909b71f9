/**
 * The key of a conversation in the ring: destroying it erases the words of that conversation and of
 * no other.
 */
export function conversationKeys(conversationId: string): string {
  return `conversation-${conversationId}`;
}
