/**
 * Returns the name of a conversation's key in the ring: destroying it erases the text of only that
 * conversation.
 */
export function conversationKeys(conversationId: string): string {
  return `conversation-${conversationId}`;
}
